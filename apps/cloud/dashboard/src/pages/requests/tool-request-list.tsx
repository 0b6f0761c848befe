import type { DashboardToolRequest } from '@csg/shared/contract';
import { Skeleton, Stack } from '@mantine/core';
import { IconApps } from '@tabler/icons-react';
import { useState } from 'react';
import { Empty, ErrorAlert } from '../../components/states.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { isAtLeast, useSession } from '../../data/session.ts';
import { DecideManyBar } from './decide-many.tsx';
import { DecideModal, type Decision } from './decide-modal.tsx';
import { isUndecided, RequestCard, withdrawalOf } from './request-card.tsx';
import { RequestContextLine } from './request-context.tsx';
import { REQUEST_PATHS } from './request-paths.ts';

const REFETCH_MS = 5_000;

export function ToolRequestList() {
  const [selected, setSelected] = useState<{
    request: DashboardToolRequest;
    decision: Decision['decision'];
  } | null>(null);
  const session = useSession();
  const isAdmin = ({ project_id }: { project_id: string | null }) => isAtLeast(session, 'admin', project_id);
  const read = useApiQuery<DashboardToolRequest[]>('/tool-requests', { refetchMs: REFETCH_MS });
  const cancel = useApiMutation(
    ({ id }: DashboardToolRequest) => callApi('POST', `/tool-requests/${id}/cancel`),
    {
      refresh: REQUEST_PATHS,
      successMessage: (_data, { status }) =>
        status === 'pending' ? 'Request cancelled.' : 'Approval revoked.',
    },
  );
  if (read.data === undefined) {
    return read.error ? (
      <ErrorAlert error={read.error} retry={() => read.refetch()} />
    ) : (
      <Skeleton height={120} radius="md" />
    );
  }
  if (read.data.length === 0) {
    return (
      <Empty icon={<IconApps size={22} />} title="No AI tool requests">
        Disallowed AI tools are set under Devices, Fleet settings. People request a tool in the agent window.
      </Empty>
    );
  }
  return (
    <Stack gap="sm">
      <DecideManyBar
        kind="tool_request"
        selectable={read.data
          .filter((request) => isAdmin(request) && isUndecided(request))
          .map((request) => ({
            id: request.id,
            title: `${request.requested_name ?? request.requested_host}, ${request.person ?? request.requester}`,
          }))}
      >
        {({ ids, toggle }) =>
          read.data.map((request) => (
            <RequestCard
              key={request.id}
              {...(isAdmin(request) && isUndecided(request) && read.data.length > 1
                ? { selected: ids.has(request.id), onSelect: () => toggle(request.id) }
                : {})}
              details={<RequestContextLine context={request} hidesPerson />}
              title={
                request.requested_name === null
                  ? request.requested_host
                  : `${request.requested_name} (${request.requested_host})`
              }
              facts={{ ...request, requester: request.person ?? request.requester }}
              onDecide={
                isAdmin(request) && !request.is_own
                  ? (decision) => setSelected({ request, decision })
                  : undefined
              }
              note={
                request.is_own
                  ? 'You submitted this request. Another admin of this organization must decide.'
                  : undefined
              }
              cancel={withdrawalOf(request, isAtLeast(session, 'member', request.project_id), {
                effect: 'The tool is blocked again immediately.',
                action: () => cancel.mutateAsync(request),
              })}
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

function Decide(props: {
  readonly request: DashboardToolRequest;
  readonly decision: Decision['decision'];
  readonly onClose: () => void;
}) {
  const { request, decision, onClose } = props;
  const decide = useApiMutation(
    (body: Decision) => callApi('POST', `/tool-requests/${request.id}/decision`, { body }),
    {
      refresh: REQUEST_PATHS,
      quiet: true,
      successMessage:
        decision === 'approve' ? 'AI tool approved.' : 'Request denied. The requester was notified.',
    },
  );
  return (
    <DecideModal
      decision={decision}
      title={`${decision === 'approve' ? 'Approve' : 'Deny'} AI tool: ${request.requested_name ?? request.requested_host}`}
      effect={
        <>
          <b>{request.requested_host}</b> is allowed{' '}
          {request.device_id === null ? 'for this organization' : `for ${request.requester}`} until you revoke
          the approval. Its texts are scanned like all others.
        </>
      }
      pending={decide.isPending}
      error={decide.error}
      onDecide={(body) => decide.mutate(body, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
