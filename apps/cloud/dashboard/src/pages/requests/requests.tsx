import {
  type DashboardRequest,
  type PendingCounts,
  REQUEST_KINDS,
  type RequestKind,
} from '@csg/shared/contract';
import { Badge, Button, SegmentedControl, Skeleton, Stack, Tabs } from '@mantine/core';
import { IconHandStop, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { Page } from '../../components/page.tsx';
import { Empty, ErrorAlert, Loaded } from '../../components/states.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { isAtLeast, useSession } from '../../data/session.ts';
import { AllowedTexts } from './allowed-texts.tsx';
import { DecideManyBar } from './decide-many.tsx';
import { DecideModal, type Decision } from './decide-modal.tsx';
import { RequestCard } from './request-card.tsx';
import { lookOf } from './request-looks.tsx';
import { DECISION_PATHS, REQUEST_PATHS } from './request-paths.ts';

const REFETCH_MS = 5_000;
/** Rendering hundreds of cards takes seconds on a slow computer. */
const STEP = 25;
/** At most as many as the service decides at once. */
const MAX_DECIDED_TOGETHER = 100;
const ALL = 'all';
const VIEWS = [
  { value: 'pending', label: 'Pending' },
  { value: 'approved', label: 'Active' },
  { value: ALL, label: 'All' },
];
/** Addresses of earlier versions. */
const KIND_OF_TAB: Readonly<Record<string, RequestKind>> = {
  exceptions: 'exception',
  'ai-tools': 'tool_request',
  'tool-calls': 'tool_review',
  texts: 'false_positive',
};
/** Requests of people and agents that an admin decides: one list of all kinds, or the one that the address names. */
export function Requests() {
  const { tab = '' } = useParams();
  return tab === '' || tab === ALL || tab in KIND_OF_TAB ? <Inbox tab={tab} /> : <OneRequest id={tab} />;
}

/** Notifications lead here. */
function OneRequest({ id }: { readonly id: string }) {
  const read = useApiQuery<DashboardRequest>(`/requests/${encodeURIComponent(id)}`, {
    refetchMs: REFETCH_MS,
  });
  const isMissing = read.error?.status === 404;
  return (
    <Page
      title="Request"
      actions={
        <Button component={Link} to="/requests" variant="default">
          All requests
        </Button>
      }
    >
      {isMissing ? (
        <Empty icon={<IconHandStop size={22} />} title="No such request">
          It may belong to another of your organizations: choose that one in the menu, then open the link
          again.
        </Empty>
      ) : (
        <Loaded read={read} height={120}>
          {(request) => <RequestCards requests={[request]} showsKind />}
        </Loaded>
      )}
    </Page>
  );
}

/** The filters are in the address. */
function Inbox({ tab }: { readonly tab: string }) {
  const [params, setParams] = useSearchParams();
  const kind = params.get('kind') ?? KIND_OF_TAB[tab] ?? ALL;
  const status = params.get('status') ?? (tab === ALL ? ALL : 'pending');
  const { data } = useApiQuery<PendingCounts>('/approvals/waiting');
  const show = (change: object) => setParams({ kind, status, ...change }, { replace: true });
  const tabOf = (value: string, label: string, count: number | undefined) => (
    <Tabs.Tab
      key={value}
      value={value}
      rightSection={
        count ? (
          <Badge size="sm" color="red.9" variant="filled" circle={count < 10}>
            {count}
          </Badge>
        ) : null
      }
    >
      {label}
    </Tabs.Tab>
  );
  return (
    <Page
      title="Requests"
      about="Another person approves each request. Approvals are limited in scope, and exceptions expire automatically."
      actions={
        <Button component={Link} to="/requests/new" variant="light" leftSection={<IconPlus size={16} />}>
          Request an exception
        </Button>
      }
    >
      <Tabs value={kind} onChange={(value) => show({ kind: value })} keepMounted={false}>
        <Tabs.List mb="md">
          {tabOf(ALL, 'All', undefined)}
          {REQUEST_KINDS.map((one) => tabOf(one, lookOf({ kind: one }).plural, data?.by_kind?.[one]))}
        </Tabs.List>
        <Tabs.Panel value={kind}>
          <Stack gap="sm">
            <SegmentedControl
              size="xs"
              aria-label="Filter requests"
              value={status}
              onChange={(value) => show({ status: value })}
              data={VIEWS}
              style={{ alignSelf: 'flex-start' }}
            />
            <RequestList kind={kind} status={status} />
            {kind === 'false_positive' && <AllowedTexts />}
          </Stack>
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function RequestList({ kind, status }: { readonly kind: string; readonly status: string }) {
  const [shown, setShown] = useState(STEP);
  const read = useApiQuery<DashboardRequest[]>('/requests', {
    query: { kind: kind === ALL ? '' : kind, status: status === ALL ? '' : status },
    refetchMs: REFETCH_MS,
    keepPrevious: true,
  });
  if (read.data === undefined) {
    return read.error ? (
      <ErrorAlert error={read.error} retry={() => read.refetch()} />
    ) : (
      <Skeleton height={120} radius="md" />
    );
  }
  if (read.data.length === 0) return <NoRequests kind={kind} status={status} />;
  const requests = read.data.slice(0, shown);
  return (
    <>
      <RequestCards requests={requests} showsKind={kind === ALL} />
      {requests.length < read.data.length && (
        <Button variant="default" onClick={() => setShown(shown + STEP)}>
          Show more ({read.data.length - requests.length})
        </Button>
      )}
    </>
  );
}

function RequestCards(props: {
  readonly requests: readonly DashboardRequest[];
  readonly showsKind: boolean;
}) {
  const { requests } = props;
  const [selected, setSelected] = useState<{
    request: DashboardRequest;
    decision: Decision['decision'];
  } | null>(null);
  const session = useSession();
  const cancel = useApiMutation(({ id }: DashboardRequest) => callApi('POST', `/requests/${id}/cancel`), {
    refresh: REQUEST_PATHS,
    successMessage: (_data, request) =>
      request.status === 'pending' ? 'Request cancelled.' : 'Approval revoked.',
  });
  const isAdmin = ({ project_id }: DashboardRequest) => isAtLeast(session, 'admin', project_id);
  const canDecide = (request: DashboardRequest) =>
    request.status === 'pending' && !request.is_own && isAdmin(request);
  const selectable = requests.filter(canDecide).slice(0, MAX_DECIDED_TOGETHER);
  return (
    <>
      <DecideManyBar selectable={selectable}>
        {({ ids, toggle }) =>
          requests.map((request) => (
            <RequestCard
              key={request.id}
              request={request}
              {...(canDecide(request) && selectable.length > 1
                ? { selected: ids.has(request.id), onSelect: () => toggle(request.id) }
                : {})}
              showsKind={props.showsKind}
              onDecide={canDecide(request) ? (decision) => setSelected({ request, decision }) : undefined}
              isAdmin={isAdmin(request)}
              isMember={isAtLeast(session, 'member', request.project_id)}
              cancel={() => cancel.mutateAsync(request)}
            />
          ))
        }
      </DecideManyBar>
      {selected && <Decide {...selected} onClose={() => setSelected(null)} />}
    </>
  );
}

function NoRequests({ kind, status }: { readonly kind: string; readonly status: string }) {
  const shown = REQUEST_KINDS.filter((one) => kind === ALL || one === kind).map((one) =>
    lookOf({ kind: one }),
  );
  const view = status === 'pending' ? 'pending' : status === 'approved' ? 'active' : '';
  return (
    <Empty
      icon={<IconHandStop size={22} />}
      title={view === '' ? 'No requests yet' : `No ${view} requests`}
      action={
        kind === ALL || kind === 'exception' ? (
          <Button component={Link} to="/requests/new" variant="light" size="xs">
            Request an exception
          </Button>
        ) : undefined
      }
    >
      {shown.length === 1
        ? shown[0]!.origin
        : 'Exceptions, AI tools, tool calls of agents and texts that were blocked by mistake appear here until an admin decides them.'}
    </Empty>
  );
}

function Decide(props: {
  readonly request: DashboardRequest;
  readonly decision: Decision['decision'];
  readonly onClose: () => void;
}) {
  const { request, decision, onClose } = props;
  const look = lookOf(request);
  const minutes = look.minutes?.(request);
  const decide = useApiMutation(
    (body: Decision) => callApi('POST', `/requests/${request.id}/decision`, { body }),
    {
      refresh: DECISION_PATHS,
      quiet: true,
      successMessage:
        decision === 'approve' ? 'Request approved.' : 'Request denied. The requester was notified.',
    },
  );
  return (
    <DecideModal
      decision={decision}
      title={`${decision === 'approve' ? 'Approve' : 'Deny'} ${request.title}`}
      effect={look.effect(request)}
      {...(minutes === undefined ? {} : { minutes })}
      threats={look.threats?.(request) ?? []}
      pending={decide.isPending}
      error={decide.error}
      onDecide={(body) => decide.mutate(body, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
