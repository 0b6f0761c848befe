import type { DashboardException } from '@csg/shared/contract';
import { Button, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { IconHandStop } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { Empty, ErrorAlert } from '../../components/states.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { callApi } from '../../data/api.ts';
import { spanText } from '../../data/format.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { threatLabel } from '../../data/labels.ts';
import { isAtLeast, useSession } from '../../data/session.ts';
import { DecideManyBar } from './decide-many.tsx';
import { DecideModal, type Decision } from './decide-modal.tsx';
import { isUndecided, RequestCard, withdrawalOf } from './request-card.tsx';
import { RequestContextLine } from './request-context.tsx';
import { REQUEST_PATHS } from './request-paths.ts';

const REFETCH_MS = 5_000;
const MINUTE_MS = 60_000;
const VIEWS = [
  { value: 'pending', label: 'Pending' },
  { value: 'approved', label: 'Active' },
  { value: '', label: 'All' },
];

export function ExceptionList() {
  const [view, setView] = useState('pending');
  const [selected, setSelected] = useState<{
    request: DashboardException;
    decision: Decision['decision'];
  } | null>(null);
  const session = useSession();
  const isAdmin = ({ project_id }: { project_id: string | null }) => isAtLeast(session, 'admin', project_id);
  const read = useApiQuery<DashboardException[]>('/exceptions', {
    query: { status: view },
    refetchMs: REFETCH_MS,
    keepPrevious: true,
  });
  const cancel = useApiMutation(({ id }: DashboardException) => callApi('POST', `/exceptions/${id}/cancel`), {
    refresh: REQUEST_PATHS,
    successMessage: (_data, { status }) =>
      status === 'pending' ? 'Request cancelled.' : 'Exception revoked.',
  });
  return (
    <Stack gap="sm">
      <SegmentedControl
        size="xs"
        aria-label="Filter exceptions"
        value={view}
        onChange={setView}
        data={VIEWS}
        style={{ alignSelf: 'flex-start' }}
      />
      {read.data === undefined ? (
        read.error ? (
          <ErrorAlert error={read.error} retry={() => read.refetch()} />
        ) : (
          <Skeleton height={120} radius="md" />
        )
      ) : read.data.length === 0 ? (
        <NoExceptions view={view} />
      ) : (
        <DecideManyBar
          kind="exception"
          selectable={read.data
            .filter((request) => isAdmin(request) && isUndecided(request))
            .map((request) => ({
              id: request.id,
              title: `${request.destination_host}, ${spanText(request.requested_minutes * MINUTE_MS)}, ${request.person ?? request.requester}`,
            }))}
        >
          {({ ids, toggle }) =>
            read.data.map((request) => (
              <RequestCard
                key={request.id}
                {...(isAdmin(request) && isUndecided(request) && read.data.length > 1
                  ? { selected: ids.has(request.id), onSelect: () => toggle(request.id) }
                  : {})}
                title={request.destination_host}
                facts={{ ...request, requester: request.person ?? request.requester }}
                details={<Details request={request} />}
                onDecide={
                  isAdmin(request) && !request.is_own
                    ? (decision) => setSelected({ request, decision })
                    : undefined
                }
                note={noteOf(request, isAdmin(request))}
                cancel={withdrawalOf(request, isAtLeast(session, 'member', request.project_id), {
                  effect: 'The exception stops applying immediately.',
                  action: () => cancel.mutateAsync(request),
                })}
              />
            ))
          }
        </DecideManyBar>
      )}
      {selected && (
        <Decide request={selected.request} decision={selected.decision} onClose={() => setSelected(null)} />
      )}
    </Stack>
  );
}

function noteOf({ is_own: isOwn }: DashboardException, isAdmin: boolean): string | undefined {
  if (isOwn) return 'You submitted this request. Another admin of this organization must decide.';
  return isAdmin ? undefined : 'An admin must decide.';
}

function NoExceptions({ view }: { readonly view: string }) {
  return (
    <Empty
      icon={<IconHandStop size={22} />}
      title={
        view === 'pending'
          ? 'No pending requests'
          : view === 'approved'
            ? 'No active exceptions'
            : 'No exceptions yet'
      }
      action={
        <Button component={Link} to="/requests/new" variant="light" size="xs">
          Request an exception
        </Button>
      }
    >
      People request exceptions in the agent window or from the link in a block message. You see the
      requester, host, justification, duration and threat type, but never the text.
    </Empty>
  );
}

function Details({ request }: { readonly request: DashboardException }) {
  const details = [
    request.threat === null ? 'All findings' : `${threatLabel(request.threat)} only`,
    request.device_id === null ? 'whole organization' : 'this device',
    spanText(request.requested_minutes * MINUTE_MS),
    ...(request.reason_category === null ? [] : [`Reason: ${request.reason_category.replaceAll('_', ' ')}`]),
  ];
  return (
    <>
      <RequestContextLine context={request} hidesPerson />
      <Text size="sm" c="dimmed" mt={4}>
        {details.join(' · ')}
        {request.status === 'approved' && request.expires_at !== null && (
          <>
            {' '}
            · Expires <TimeAgo at={request.expires_at} />
          </>
        )}
      </Text>
    </>
  );
}

function Decide(props: {
  readonly request: DashboardException;
  readonly decision: Decision['decision'];
  readonly onClose: () => void;
}) {
  const { request, decision, onClose } = props;
  const decide = useApiMutation(
    (body: Decision) => callApi<DashboardException>('POST', `/exceptions/${request.id}/decision`, { body }),
    {
      refresh: REQUEST_PATHS,
      quiet: true,
      successMessage:
        decision === 'approve' ? 'Exception approved.' : 'Request denied. The requester was notified.',
    },
  );
  return (
    <DecideModal
      decision={decision}
      title={`${decision === 'approve' ? 'Approve' : 'Deny'} exception for ${request.destination_host}`}
      effect={
        <>
          Until the exception expires,{' '}
          {request.threat === null ? 'all' : threatLabel(request.threat).toLowerCase()} findings in texts to{' '}
          <b>{request.destination_host}</b> are allowed{' '}
          {request.device_id === null ? 'for this organization' : `for ${request.requester}`}. Nothing else
          changes.
        </>
      }
      minutes={request.requested_minutes}
      pending={decide.isPending}
      error={decide.error}
      onDecide={(body) => decide.mutate(body, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
