import type { ExceptionOnDesk } from '@csg/shared/contract';
import { Button, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { IconHandStop } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { callApi } from '../../data/api.ts';
import { spanText } from '../../data/format.ts';
import { useAct, useRead } from '../../data/hooks.ts';
import { isAtLeast, useSession } from '../../data/session.ts';
import { threatWord } from '../../data/words.ts';
import { Empty, FaultNote } from '../../parts/states.tsx';
import { TimeAgo } from '../../parts/time-ago.tsx';
import { DecideModal, type Decision } from './decide-modal.tsx';
import { RequestCard } from './request-card.tsx';

const EVERY_MS = 5_000;
const MINUTE_MS = 60_000;
export const REQUEST_ADDRESSES = [
  '/exceptions',
  '/tool-requests',
  '/tool-reviews',
  '/approvals',
  '/overview',
];

const VIEWS = [
  { value: 'pending', label: 'Waiting' },
  { value: 'approved', label: 'Counting now' },
  { value: '', label: 'All' },
];

export function ExceptionList() {
  const [view, setView] = useState('pending');
  const [asked, setAsked] = useState<{ one: ExceptionOnDesk; decision: Decision['decision'] } | null>(null);
  const session = useSession();
  const isAdmin = isAtLeast(session, 'admin');
  const read = useRead<ExceptionOnDesk[]>('/exceptions', {
    query: { status: view },
    everyMs: EVERY_MS,
    keep: true,
  });
  const cancel = useAct((id: string) => callApi('POST', `/exceptions/${id}/cancel`), {
    refresh: REQUEST_ADDRESSES,
    done: 'It does not count any more.',
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
          <FaultNote fault={read.error} retry={() => read.refetch()} />
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
        read.data.map((one) => (
          <RequestCard
            key={one.id}
            title={one.destination_host}
            facts={one}
            details={<Details one={one} />}
            onDecide={isAdmin && !one.is_own ? (decision) => setAsked({ one, decision }) : undefined}
            note={
              one.is_own
                ? 'You asked for this: another admin of this organization decides it.'
                : isAdmin
                  ? undefined
                  : 'An admin decides this.'
            }
            cancel={
              (one.status === 'pending' || one.status === 'approved') &&
              (one.is_own || isAtLeast(session, 'member'))
                ? {
                    label: one.status === 'pending' ? 'Withdraw' : 'End it now',
                    effect:
                      one.status === 'pending'
                        ? 'Nobody decides it any more.'
                        : 'It stops counting at once, everywhere.',
                    act: () => cancel.mutateAsync(one.id),
                  }
                : undefined
            }
          />
        ))
      )}
      {asked && <Decide asked={asked.one} decision={asked.decision} onClose={() => setAsked(null)} />}
    </Stack>
  );
}

function Details(props: { readonly one: ExceptionOnDesk }) {
  const { one } = props;
  const what = [
    one.threat === null ? 'whatever is found' : `only ${threatWord(one.threat).toLowerCase()}`,
    one.device_id === null ? 'for everybody here' : 'on that machine',
    `for ${spanText(one.requested_minutes * MINUTE_MS)}`,
    ...(one.reason_category === null ? [] : [one.reason_category]),
  ];
  return (
    <Text size="sm" c="dimmed" mt={4}>
      {what.join(', ')}
      {one.status === 'approved' && one.expires_at !== null && (
        <>
          ; ends <TimeAgo at={one.expires_at} />
        </>
      )}
    </Text>
  );
}

function Decide(props: {
  readonly asked: ExceptionOnDesk;
  readonly decision: Decision['decision'];
  readonly onClose: () => void;
}) {
  const { asked, decision, onClose } = props;
  const act = useAct(
    (body: Decision) => callApi<ExceptionOnDesk>('POST', `/exceptions/${asked.id}/decision`, { body }),
    {
      refresh: REQUEST_ADDRESSES,
      quiet: true,
      done: decision === 'approve' ? 'Approved. It counts from now.' : 'Denied. They are told.',
    },
  );
  return (
    <DecideModal
      decision={decision}
      title={`${decision === 'approve' ? 'Approve' : 'Deny'}: ${asked.destination_host}`}
      effect={
        <>
          Until it ends, {asked.threat === null ? 'what is found' : threatWord(asked.threat).toLowerCase()} in
          texts to <b>{asked.destination_host}</b> is let through{' '}
          {asked.device_id === null ? 'for this organization' : `for ${asked.requester}`}. Nothing else
          changes.
        </>
      }
      minutes={asked.requested_minutes}
      pending={act.isPending}
      fault={act.error}
      onDecide={(body) => act.mutate(body, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
