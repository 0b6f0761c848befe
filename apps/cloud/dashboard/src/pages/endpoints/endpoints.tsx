import type { EndpointDelivery, EndpointRecord } from '@csg/shared/contract';
import { Badge, Button, Card, Collapse, Group, Select, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconWebhook } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { Page } from '../../components/page.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { useProjects } from '../../data/projects.ts';
import { isAtLeast, useSession } from '../../data/session.ts';
import { DeliveryList } from '../webhooks/delivery-list.tsx';
import { ReplayModal } from '../webhooks/endpoint-controls.tsx';

const KINDS = [
  { value: '', label: 'All kinds' },
  { value: 'webhook', label: 'Webhooks' },
  { value: 'policy', label: 'Policy endpoints' },
  { value: 'notification', label: 'Notification targets' },
  { value: 'audit', label: 'Audit target' },
];
const PATH = '/endpoints';
const REFETCH_MS = 10_000;

/** All addresses that the gateway calls, with their health, and the deliveries below each. */
export function Endpoints() {
  const [params, setParams] = useSearchParams();
  const kind = params.get('kind') ?? '';
  const read = useApiQuery<EndpointRecord[]>(PATH, { query: { kind }, refetchMs: REFETCH_MS });
  return (
    <Page
      title="Endpoints"
      about="Every address that the gateway calls: webhooks and policy endpoints of projects, notification targets, and the audit target."
      actions={
        <>
          <Select
            aria-label="Kind"
            data={KINDS}
            value={kind}
            allowDeselect={false}
            onChange={(value) => setParams(value ? { kind: value } : {})}
          />
          <Button component={Link} to="/webhooks" variant="default">
            Set up webhooks
          </Button>
        </>
      }
    >
      <Loaded read={read} height={300}>
        {(endpoints) =>
          endpoints.length === 0 ? (
            <Empty icon={<IconWebhook size={22} />} title="No endpoints yet">
              Webhooks and policy endpoints are set up for each project, notification targets in the settings,
              the audit target on the page of the audit log.
            </Empty>
          ) : (
            <Stack gap="xs">
              {endpoints.map((endpoint) => (
                <EndpointCard key={endpoint.id} endpoint={endpoint} />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Page>
  );
}

function EndpointCard({ endpoint }: { readonly endpoint: EndpointRecord }) {
  const { id, name, address, form, project_id: projectId, succeeded, failed, backlog } = endpoint;
  const [isOpen, { toggle }] = useDisclosure(false);
  const projects = useProjects();
  const project = projects.data?.find((one) => one.id === projectId)?.name;
  return (
    <Card p="sm">
      <Group justify="space-between" align="flex-start" gap="xs">
        <div style={{ flex: '1 1 18rem', minWidth: 0 }}>
          <Group gap="xs">
            <HealthBadge endpoint={endpoint} />
            <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
              {address}
            </Text>
          </Group>
          <Text size="xs" c="dimmed">
            {form ?? name} of {project ?? 'the organization'}, {succeeded.toLocaleString()} calls succeeded,{' '}
            {failed.toLocaleString()} failed
            {backlog > 0 && `, ${backlog.toLocaleString()} pending`}
            {endpoint.last_success_at !== null && (
              <>
                , last success <TimeAgo at={endpoint.last_success_at} />
              </>
            )}
          </Text>
          {endpoint.last_error !== null && (
            <Text size="xs" c="red.9" style={{ overflowWrap: 'anywhere' }}>
              {endpoint.last_error}
            </Text>
          )}
        </div>
        <Group gap={4}>
          <Actions endpoint={endpoint} />
          <Button
            size="compact-sm"
            variant="default"
            aria-expanded={isOpen}
            aria-label={`Deliveries to ${address}`}
            onClick={toggle}
          >
            Deliveries
          </Button>
        </Group>
      </Group>
      <Collapse expanded={isOpen}>
        {isOpen && (
          <Stack gap="xs" mt="sm">
            <DeliveryList path={`${PATH}/${id}/deliveries`} attempts={endpoint.retries + 1} />
          </Stack>
        )}
      </Collapse>
    </Card>
  );
}

function HealthBadge({ endpoint }: { readonly endpoint: EndpointRecord }) {
  if (endpoint.paused) return <Badge color="yellow">paused</Badge>;
  if (!endpoint.enabled) return <Badge color="gray">disabled</Badge>;
  if (endpoint.failures > 0) return <Badge color="red">failing</Badge>;
  return endpoint.last_success_at === null ? (
    <Badge color="gray">not called yet</Badge>
  ) : (
    <Badge color="teal">healthy</Badge>
  );
}

function Actions({ endpoint }: { readonly endpoint: EndpointRecord }) {
  const { id, address, paused, synchronous, project_id: projectId } = endpoint;
  const isAdmin = isAtLeast(useSession(), 'admin', projectId ?? undefined);
  const [isReplaying, setReplaying] = useState(false);
  const refresh = [PATH, `${PATH}/${id}/deliveries`];
  const test = useApiMutation(() => callApi<EndpointDelivery>('POST', `${PATH}/${id}/test`), {
    refresh,
    successMessage: ({ status, last_error: error }) =>
      status === 'delivered' ? 'The test was delivered.' : `The test failed. ${error ?? ''}`,
  });
  const pause = useApiMutation(() => callApi('PATCH', `${PATH}/${id}`, { body: { paused: !paused } }), {
    refresh,
    successMessage: paused ? 'Resumed.' : 'Paused.',
  });
  if (!isAdmin) return null;
  const button = { size: 'compact-sm', variant: 'default' } as const;
  return (
    <>
      <Button
        {...button}
        aria-label={`Test ${address}`}
        loading={test.isPending}
        onClick={() => test.mutate(undefined)}
      >
        Test
      </Button>
      <Button
        {...button}
        aria-label={`${paused ? 'Resume' : 'Pause'} ${address}`}
        loading={pause.isPending}
        onClick={() => pause.mutate(undefined)}
      >
        {paused ? 'Resume' : 'Pause'}
      </Button>
      {!synchronous && (
        <Button {...button} aria-label={`Replay deliveries to ${address}`} onClick={() => setReplaying(true)}>
          Replay
        </Button>
      )}
      {isReplaying && (
        <ReplayModal path={`${PATH}/${id}`} refresh={refresh} onClose={() => setReplaying(false)} />
      )}
    </>
  );
}
