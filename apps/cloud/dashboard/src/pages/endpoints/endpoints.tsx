import { type EndpointKind, type EndpointRecord, MAX_BACKLOG } from '@csg/shared/contract';
import { Alert, Anchor, Badge, Button, Card, Collapse, Group, Select, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlugConnected } from '@tabler/icons-react';
import { useSearchParams } from 'react-router';
import { Page } from '../../components/page.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { useApiQuery } from '../../data/hooks.ts';
import { projectChoices, useProjects } from '../../data/projects.ts';
import { isAtLeast, useSession } from '../../data/session.ts';
import { DeliveryList } from './delivery-list.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { eventsOf, FORMS, KINDS, labelOf } from './endpoint-labels.ts';

const KIND_CHOICES = [
  { value: '', label: 'All kinds' },
  ...Object.entries(KINDS).map(([value, { label }]) => ({ value, label: `${label}s` })),
];
const REFETCH_MS = 10_000;

/** All addresses that the gateway calls, with their health, and the deliveries below each. */
export function Endpoints() {
  const [params, setParams] = useSearchParams();
  const projects = useProjects();
  const session = useSession();
  const [isAdding, { open, close }] = useDisclosure(false);
  const kind = params.get('kind') ?? '';
  const project = params.get('project') ?? '';
  const query = { kind, project_id: project };
  const read = useApiQuery<EndpointRecord[]>('/endpoints', { query, refetchMs: REFETCH_MS });
  const filter = (name: string, value: string | null) => {
    const next = new URLSearchParams(params);
    if (value) next.set(name, value);
    else next.delete(name);
    setParams(next);
  };
  const canAdd =
    isAtLeast(session, 'admin') || projects.data?.some(({ id }) => isAtLeast(session, 'admin', id)) === true;
  return (
    <Page
      title="Endpoints"
      about="Every address that the gateway calls: webhooks and policy endpoints of projects, notification targets, and the audit target."
      actions={canAdd && <Button onClick={open}>Add endpoint</Button>}
    >
      <Group gap="sm">
        <Select
          aria-label="Kind"
          data={KIND_CHOICES}
          value={kind}
          allowDeselect={false}
          onChange={(value) => filter('kind', value)}
        />
        <Select
          aria-label="Owner"
          data={[{ value: '', label: 'All owners' }, ...projectChoices(projects.data)]}
          value={project}
          allowDeselect={false}
          onChange={(value) => filter('project', value)}
        />
      </Group>
      <Loaded read={read} height={300}>
        {(endpoints) =>
          endpoints.length === 0 ? (
            <Empty icon={<IconPlugConnected size={22} />} title="No endpoints yet">
              Add a webhook for your own service, or a place where people are notified.
            </Empty>
          ) : (
            <Stack gap="xs">
              {endpoints.toSorted(byUrgency).map((endpoint) => (
                <EndpointCard key={endpoint.id} endpoint={endpoint} />
              ))}
            </Stack>
          )
        }
      </Loaded>
      <Alert color="gray">
        Endpoints return 2xx within 5 seconds; what failed is sent again after 30 seconds, 2 minutes and 10
        minutes. Process each <code>event_id</code> only once, because a delivery can arrive twice. The bodies
        are described in the{' '}
        <Anchor href="/docs" size="sm" underline="always">
          API reference
        </Anchor>
        .
      </Alert>
      {isAdding && (
        <EndpointForm
          endpoint={null}
          kind={kind in KINDS ? (kind as EndpointKind) : 'webhook'}
          projectId={project || (projects.data?.[0]?.id ?? null)}
          onClose={close}
        />
      )}
    </Page>
  );
}

/** Those that fail come first, so that an admin sees them among many. */
const byUrgency = (one: EndpointRecord, other: EndpointRecord): number =>
  Number(isFailing(other)) - Number(isFailing(one));
const isFailing = ({ enabled, paused, failures }: EndpointRecord): boolean =>
  enabled && !paused && failures > 0;

function EndpointCard({ endpoint }: { readonly endpoint: EndpointRecord }) {
  const { id, kind, address, form, project_id: projectId, events } = endpoint;
  const formLabel = form === null ? undefined : labelOf(FORMS, form);
  const [isOpen, { toggle }] = useDisclosure(false);
  const projects = useProjects();
  const session = useSession();
  const isAdmin = isAtLeast(session, 'admin', projectId ?? undefined);
  const project = projects.data?.find((one) => one.id === projectId)?.name;
  return (
    <Card p="sm">
      <Group justify="space-between" align="flex-start" gap="xs">
        <div style={{ flex: '1 1 18rem', minWidth: 0 }}>
          <Group gap="xs" align="flex-start">
            <HealthBadge endpoint={endpoint} />
            <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
              {address}
            </Text>
          </Group>
          <Text size="xs" c="dimmed">
            {formLabel ?? KINDS[kind]?.label ?? endpoint.name} of {project ?? 'the organization'}
            {events !== null &&
              `: ${events.map((event) => labelOf(eventsOf(kind), event)?.toLowerCase() ?? event).join(', ')}`}
            {endpoint.signed && ', signed'}
          </Text>
          <Calls endpoint={endpoint} />
          {endpoint.last_error !== null && (
            <Text size="xs" c="red" style={{ overflowWrap: 'anywhere' }}>
              {endpoint.last_error}
            </Text>
          )}
        </div>
        <Group gap={4}>
          <Button
            size="compact-sm"
            variant="default"
            aria-expanded={isOpen}
            aria-label={`Deliveries to ${address}`}
            onClick={toggle}
          >
            Deliveries
          </Button>
          {isAdmin && <EndpointActions endpoint={endpoint} />}
        </Group>
      </Group>
      <Collapse expanded={isOpen}>
        {isOpen && (
          <Stack gap="xs" mt="sm">
            <DeliveryList
              path={`/endpoints/${id}/deliveries`}
              attempts={endpoint.retries + 1}
              canRetry={isAtLeast(session, 'admin') && !endpoint.synchronous}
            />
          </Stack>
        )}
      </Collapse>
    </Card>
  );
}

function Calls({ endpoint }: { readonly endpoint: EndpointRecord }) {
  const { succeeded, failed, backlog, oldest_waiting_at: oldest, last_success_at: last } = endpoint;
  return (
    <Text size="xs" c="dimmed">
      {succeeded.toLocaleString()} calls succeeded, {failed.toLocaleString()} failed
      {last !== null && (
        <>
          , last success <TimeAgo at={last} />
        </>
      )}
      {backlog > 0 && (
        <>
          , {backlog < MAX_BACKLOG ? backlog : `${MAX_BACKLOG.toLocaleString()} or more`} pending, oldest{' '}
          <TimeAgo at={oldest} />
        </>
      )}
    </Text>
  );
}

function HealthBadge({ endpoint }: { readonly endpoint: EndpointRecord }) {
  const [color, label] = endpoint.paused
    ? ['yellow', 'paused']
    : !endpoint.enabled
      ? ['gray', 'disabled']
      : endpoint.failures > 0
        ? ['red', 'failing']
        : endpoint.last_success_at === null
          ? ['gray', 'not called yet']
          : ['teal', 'healthy'];
  return (
    <Badge color={color!} style={{ flexShrink: 0 }}>
      {label}
    </Badge>
  );
}
