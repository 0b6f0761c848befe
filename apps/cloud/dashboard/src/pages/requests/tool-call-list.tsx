import type { DashboardToolReview } from '@csg/shared/contract';
import { Anchor, Code, Skeleton, Spoiler, Stack, Text } from '@mantine/core';
import { IconRobot } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { Empty, ErrorAlert } from '../../components/states.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { isAtLeast, useSession } from '../../data/session.ts';
import { DecideManyBar } from './decide-many.tsx';
import { DecideModal, type Decision } from './decide-modal.tsx';
import { RequestCard } from './request-card.tsx';
import { RequestContextLine } from './request-context.tsx';
import { REQUEST_PATHS } from './request-paths.ts';

const REFETCH_MS = 5_000;

export function ToolCallList() {
  const [selected, setSelected] = useState<{
    request: DashboardToolReview;
    decision: Decision['decision'];
  } | null>(null);
  const session = useSession();
  const isAdmin = ({ project_id }: { project_id: string | null }) => isAtLeast(session, 'admin', project_id);
  const read = useApiQuery<DashboardToolReview[]>('/tool-reviews', { refetchMs: REFETCH_MS });
  if (read.data === undefined) {
    return read.error ? (
      <ErrorAlert error={read.error} retry={() => read.refetch()} />
    ) : (
      <Skeleton height={120} radius="md" />
    );
  }
  if (read.data.length === 0) {
    return (
      <Empty icon={<IconRobot size={22} />} title="No pending tool calls">
        Tools that require approval are set per project under{' '}
        <Anchor component={Link} to="/tools" size="sm" underline="always">
          Agent tools
        </Anchor>
        . When an agent calls one, the call appears here until an admin decides.
      </Empty>
    );
  }
  return (
    <Stack gap="sm">
      <DecideManyBar
        kind="tool_review"
        selectable={read.data
          .filter((request) => isAdmin(request) && request.status === 'pending')
          .map(({ id, tool_name, arguments: given }) => ({
            id,
            title: `${tool_name} ${given === null ? '' : JSON.stringify(given).slice(0, 120)}`,
          }))}
      >
        {({ ids, toggle }) =>
          read.data.map((request) => (
            <RequestCard
              key={request.id}
              {...(isAdmin(request) && request.status === 'pending' && read.data.length > 1
                ? { selected: ids.has(request.id), onSelect: () => toggle(request.id) }
                : {})}
              title={<Code fz="sm">{request.tool_name}</Code>}
              facts={{
                ...request,
                requester: `${request.agent_id} (${request.requester})`,
                justification: request.reason,
              }}
              details={
                <>
                  <RequestContextLine context={request} />
                  <Arguments value={request.arguments} />
                  {request.status === 'pending' && (
                    <Text size="sm" c="dimmed" mt={4}>
                      Expires <TimeAgo at={request.expires_at} />
                    </Text>
                  )}
                </>
              }
              onDecide={isAdmin(request) ? (decision) => setSelected({ request, decision }) : undefined}
            />
          ))
        }
      </DecideManyBar>
      {selected && (
        <Decide request={selected.request} decision={selected.decision} onClose={() => setSelected(null)} />
      )}
    </Stack>
  );
}

/** The arguments of the pending call. */
function Arguments(props: { readonly value: DashboardToolReview['arguments'] }) {
  if (props.value === null) {
    return (
      <Text size="sm" c="dimmed" mt={4}>
        The arguments are not stored because this project stores no content.
      </Text>
    );
  }
  return (
    <Spoiler maxHeight={200} showLabel="Show all arguments" hideLabel="Show less" mt={6}>
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {JSON.stringify(props.value, null, 2)}
      </Code>
    </Spoiler>
  );
}

function Decide(props: {
  readonly request: DashboardToolReview;
  readonly decision: Decision['decision'];
  readonly onClose: () => void;
}) {
  const { request, decision, onClose } = props;
  const decide = useApiMutation(
    (body: Decision) => callApi('POST', `/tool-reviews/${request.id}/decision`, { body }),
    {
      refresh: REQUEST_PATHS,
      quiet: true,
      successMessage: decision === 'approve' ? 'Tool call approved.' : 'Tool call denied.',
    },
  );
  return (
    <DecideModal
      decision={decision}
      title={`${decision === 'approve' ? 'Approve' : 'Deny'} tool call: ${request.tool_name}`}
      effect="This call is allowed once within an hour, with exactly the same arguments."
      pending={decide.isPending}
      error={decide.error}
      onDecide={(body) => decide.mutate(body, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
