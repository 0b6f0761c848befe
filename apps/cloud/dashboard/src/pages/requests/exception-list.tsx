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
import { DecideModal, type Decision } from './decide-modal.tsx';
import { RequestCard } from './request-card.tsx';

const REFETCH_MS = 5_000;
const MINUTE_MS = 60_000;
export const REQUEST_PATHS = ['/exceptions', '/tool-requests', '/tool-reviews', '/approvals', '/overview'];

const VIEWS = [
  { value: 'pending', label: 'Waiting' },
  { value: 'approved', label: 'Counting now' },
  { value: '', label: 'All' },
];

export function ExceptionList() {
  const [view, setView] = useState('pending');
  const [selected, setSelected] = useState<{
    request: DashboardException;
    decision: Decision['decision'];
  } | null>(null);
  const session = useSession();
  const isAdmin = isAtLeast(session, 'admin');
  const read = useApiQuery<DashboardException[]>('/exceptions', {
    query: { status: view },
    refetchMs: REFETCH_MS,
    keepPrevious: true,
  });
  const cancel = useApiMutation((id: string) => callApi('POST', `/exceptions/${id}/cancel`), {
    refresh: REQUEST_PATHS,
    successMessage: 'It does not count any more.',
  });
  return (
    <Stack gap="sm">
      <SegmentedControl
        size="xs"
        aria-label="Which exceptions"
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
        <Empty
          icon={<IconHandStop size={22} />}
          title={
            view === 'pending' ? 'Nobody waits' : view === 'approved' ? 'None counts now' : 'No exception yet'
          }
          action={
            <Button component={Link} to="/requests/new" variant="light" size="xs">
              Ask for one
            </Button>
          }
        >
          An employee asks from the agent's window, or from the link of a block. You see who, where, why, for
          how long, and what was stopped; never the text.
        </Empty>
      ) : (
        read.data.map((request) => (
          <RequestCard
            key={request.id}
            title={request.destination_host}
            facts={request}
            details={<Details request={request} />}
            onDecide={
              isAdmin && !request.is_own ? (decision) => setSelected({ request, decision }) : undefined
            }
            note={
              request.is_own
                ? 'You asked for this: another admin of this organization decides it.'
                : isAdmin
                  ? undefined
                  : 'An admin decides this.'
            }
            cancel={
              (request.status === 'pending' || request.status === 'approved') &&
              (request.is_own || isAtLeast(session, 'member'))
                ? {
                    label: request.status === 'pending' ? 'Withdraw' : 'End it now',
                    effect:
                      request.status === 'pending'
                        ? 'Nobody decides it any more.'
                        : 'It stops counting at once, everywhere.',
                    action: () => cancel.mutateAsync(request.id),
                  }
                : undefined
            }
          />
        ))
      )}
      {selected && (
        <Decide request={selected.request} decision={selected.decision} onClose={() => setSelected(null)} />
      )}
    </Stack>
  );
}

function Details(props: { readonly request: DashboardException }) {
  const { request } = props;
  const details = [
    request.threat === null ? 'whatever is found' : `only ${threatLabel(request.threat).toLowerCase()}`,
    request.device_id === null ? 'for everybody here' : 'on that machine',
    `for ${spanText(request.requested_minutes * MINUTE_MS)}`,
    ...(request.reason_category === null ? [] : [request.reason_category]),
  ];
  return (
    <Text size="sm" c="dimmed" mt={4}>
      {details.join(', ')}
      {request.status === 'approved' && request.expires_at !== null && (
        <>
          ; ends <TimeAgo at={request.expires_at} />
        </>
      )}
    </Text>
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
      successMessage: decision === 'approve' ? 'Approved. It counts from now.' : 'Denied. They are told.',
    },
  );
  return (
    <DecideModal
      decision={decision}
      title={`${decision === 'approve' ? 'Approve' : 'Deny'}: ${request.destination_host}`}
      effect={
        <>
          Until it ends,{' '}
          {request.threat === null ? 'what is found' : threatLabel(request.threat).toLowerCase()} in texts to{' '}
          <b>{request.destination_host}</b> is let through{' '}
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
