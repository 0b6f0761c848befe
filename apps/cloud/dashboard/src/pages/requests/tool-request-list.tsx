import type { ToolRequestOnDesk } from '@csg/shared/contract';
import { Skeleton, Stack } from '@mantine/core';
import { IconApps } from '@tabler/icons-react';
import { useState } from 'react';
import { callApi } from '../../data/api.ts';
import { useAct, useRead } from '../../data/hooks.ts';
import { isAtLeast, useSession } from '../../data/session.ts';
import { Empty, FaultNote } from '../../parts/states.tsx';
import { DecideModal, type Decision } from './decide-modal.tsx';
import { REQUEST_ADDRESSES } from './exception-list.tsx';
import { RequestCard } from './request-card.tsx';

const EVERY_MS = 5_000;

export function ToolRequestList() {
  const [asked, setAsked] = useState<{ one: ToolRequestOnDesk; decision: Decision['decision'] } | null>(null);
  const session = useSession();
  const isAdmin = isAtLeast(session, 'admin');
  const read = useRead<ToolRequestOnDesk[]>('/tool-requests', { everyMs: EVERY_MS });
  const cancel = useAct((id: string) => callApi('POST', `/tool-requests/${id}/cancel`), {
    refresh: REQUEST_ADDRESSES,
    done: 'It does not count any more.',
  });
  if (read.data === undefined) {
    return read.error ? (
      <FaultNote fault={read.error} retry={() => read.refetch()} />
    ) : (
      <Skeleton height={120} radius="md" />
    );
  }
  if (read.data.length === 0) {
    return (
      <Empty icon={<IconApps size={22} />} title="Nobody asked for an AI tool">
        AI tools that are not allowed are set under Devices, Settings for all. People ask for one from the
        agent's window.
      </Empty>
    );
  }
  return (
    <Stack gap="sm">
      {read.data.map((one) => (
        <RequestCard
          key={one.id}
          title={
            one.requested_name === null ? one.requested_host : `${one.requested_name} (${one.requested_host})`
          }
          facts={one}
          onDecide={isAdmin && !one.is_own ? (decision) => setAsked({ one, decision }) : undefined}
          note={one.is_own ? 'You asked for this: another admin of this organization decides it.' : undefined}
          cancel={
            (one.status === 'pending' || one.status === 'approved') &&
            (one.is_own || isAtLeast(session, 'member'))
              ? {
                  label: one.status === 'pending' ? 'Withdraw' : 'Take it back',
                  effect:
                    one.status === 'pending'
                      ? 'Nobody decides it any more.'
                      : 'The tool is blocked again, at once.',
                  act: () => cancel.mutateAsync(one.id),
                }
              : undefined
          }
        />
      ))}
      {asked && <Decide asked={asked.one} decision={asked.decision} onClose={() => setAsked(null)} />}
    </Stack>
  );
}

function Decide(props: {
  readonly asked: ToolRequestOnDesk;
  readonly decision: Decision['decision'];
  readonly onClose: () => void;
}) {
  const { asked, decision, onClose } = props;
  const act = useAct((body: Decision) => callApi('POST', `/tool-requests/${asked.id}/decision`, { body }), {
    refresh: REQUEST_ADDRESSES,
    quiet: true,
    done: decision === 'approve' ? 'Approved. The tool is allowed now.' : 'Denied. They are told.',
  });
  return (
    <DecideModal
      decision={decision}
      title={`${decision === 'approve' ? 'Approve' : 'Deny'}: ${asked.requested_name ?? asked.requested_host}`}
      effect={
        <>
          <b>{asked.requested_host}</b> is allowed{' '}
          {asked.device_id === null ? 'for this organization' : `for ${asked.requester}`} until you take it
          back. Its texts are scanned like all others.
        </>
      }
      pending={act.isPending}
      fault={act.error}
      onDecide={(body) => act.mutate(body, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
