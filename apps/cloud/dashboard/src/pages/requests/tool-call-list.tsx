import type { ToolReviewOnDesk } from '@csg/shared/contract';
import { Anchor, Code, Skeleton, Stack, Text } from '@mantine/core';
import { IconRobot } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { callApi } from '../../data/api.ts';
import { useAct, useRead } from '../../data/hooks.ts';
import { isAtLeast, useSession } from '../../data/session.ts';
import { Empty, FaultNote } from '../../parts/states.tsx';
import { TimeAgo } from '../../parts/time-ago.tsx';
import { DecideModal, type Decision } from './decide-modal.tsx';
import { REQUEST_ADDRESSES } from './exception-list.tsx';
import { RequestCard } from './request-card.tsx';

const EVERY_MS = 5_000;

export function ToolCallList() {
  const [asked, setAsked] = useState<{ one: ToolReviewOnDesk; decision: Decision['decision'] } | null>(null);
  const isAdmin = isAtLeast(useSession(), 'admin');
  const read = useRead<ToolReviewOnDesk[]>('/tool-reviews', { everyMs: EVERY_MS });
  if (read.data === undefined) {
    return read.error ? (
      <FaultNote fault={read.error} retry={() => read.refetch()} />
    ) : (
      <Skeleton height={120} radius="md" />
    );
  }
  if (read.data.length === 0) {
    return (
      <Empty icon={<IconRobot size={22} />} title="No tool call waits">
        Tools that need a person's word are listed per project under{' '}
        <Anchor component={Link} to="/tools" size="sm" underline="always">
          Agent tools
        </Anchor>
        . An agent that calls one waits here.
      </Empty>
    );
  }
  return (
    <Stack gap="sm">
      {read.data.map((one) => (
        <RequestCard
          key={one.id}
          title={<Code fz="sm">{one.tool_name}</Code>}
          facts={{ ...one, requester: `${one.agent_id} (key ${one.requester})`, justification: one.reason }}
          details={
            one.status === 'pending' ? (
              <Text size="sm" c="dimmed" mt={4}>
                waits until <TimeAgo at={one.expires_at} />
              </Text>
            ) : null
          }
          onDecide={isAdmin ? (decision) => setAsked({ one, decision }) : undefined}
        />
      ))}
      {asked && <Decide asked={asked.one} decision={asked.decision} onClose={() => setAsked(null)} />}
    </Stack>
  );
}

function Decide(props: {
  readonly asked: ToolReviewOnDesk;
  readonly decision: Decision['decision'];
  readonly onClose: () => void;
}) {
  const { asked, decision, onClose } = props;
  const act = useAct((body: Decision) => callApi('POST', `/tool-reviews/${asked.id}/decision`, { body }), {
    refresh: REQUEST_ADDRESSES,
    quiet: true,
    done: decision === 'approve' ? 'Approved, once.' : 'Denied.',
  });
  return (
    <DecideModal
      decision={decision}
      title={`${decision === 'approve' ? 'Approve' : 'Deny'}: ${asked.tool_name}`}
      effect="This very call, with the same arguments, is allowed once within an hour."
      pending={act.isPending}
      fault={act.error}
      onDecide={(body) => act.mutate(body, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
