import { Alert, Anchor, Button, Card, Select, Stack } from '@mantine/core';
import { IconWebhook } from '@tabler/icons-react';
import { Link, useSearchParams } from 'react-router';
import { Page, Section } from '../../components/page.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { projectChoices, useProjects } from '../../data/projects.ts';
import { DeliveryList } from './delivery-list.tsx';
import { FurtherWebhooks } from './further-webhooks.tsx';
import { PolicyWebhookForm } from './policy-webhook-form.tsx';
import { WebhookForm } from './webhook-form.tsx';

/** The webhooks of a project and their deliveries. */
export function Webhooks() {
  const [params, setParams] = useSearchParams();
  const projects = useProjects();
  const projectId = params.get('project') ?? projects.data?.[0]?.id;
  return (
    <Page
      title="Webhooks"
      about="Send events to your service: blocks, threats, redactions and usage. Failed deliveries are retried after 30 seconds, 2 minutes and 10 minutes."
      actions={
        <Select
          aria-label="Project"
          data={projectChoices(projects.data)}
          value={projectId ?? null}
          onChange={(value) => value !== null && setParams({ project: value })}
          allowDeselect={false}
        />
      }
    >
      {projectId === undefined ? (
        <Loaded read={projects} height={300}>
          {() => (
            <Empty
              icon={<IconWebhook size={22} />}
              title="No projects yet"
              action={
                <Button component={Link} to="/projects">
                  Create a project
                </Button>
              }
            >
              A webhook belongs to a project.
            </Empty>
          )}
        </Loaded>
      ) : (
        <Stack key={projectId}>
          <WebhookForm projectId={projectId} />
          <FurtherWebhooks projectId={projectId} />
          <Card p={{ base: 'sm', sm: 'md' }}>
            <Section title="Deliveries">
              <DeliveryList path="/webhook-deliveries" projectId={projectId} attempts={4} />
            </Section>
          </Card>
          <PolicyWebhookForm projectId={projectId} />
          <Alert color="gray">
            Endpoints return 2xx within 5 seconds and process each <code>event_id</code> only once, because a
            delivery can arrive twice. The request bodies are described in the{' '}
            <Anchor href="/docs" size="sm" underline="always">
              API reference
            </Anchor>
            .
          </Alert>
        </Stack>
      )}
    </Page>
  );
}
