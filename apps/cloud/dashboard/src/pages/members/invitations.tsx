import type { InvitationRecord } from '@csg/shared/contract';
import { Badge, Button, Group, Text } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { ROLE_LABELS } from './role-labels.ts';

export function Invitations() {
  const read = useApiQuery<InvitationRecord[]>('/invitations');
  const resend = useApiMutation((id: string) => callApi('POST', `/invitations/${id}/resend`), {
    refresh: ['/invitations', '/mails'],
    successMessage: 'Invitation resent with a new link. The previous link no longer works.',
  });
  const revoke = useApiMutation((id: string) => callApi('DELETE', `/invitations/${id}`), {
    refresh: ['/invitations'],
    successMessage: 'Invitation revoked.',
    quiet: true,
  });
  return (
    <DataTable
      label="Pending invitations"
      rows={read.data}
      rowKey={({ id }) => id}
      error={read.error}
      retry={() => read.refetch()}
      isDim={({ state }) => state === 'expired'}
      empty={
        <Text size="sm" c="dimmed">
          No pending invitations.
        </Text>
      }
      columns={[
        { title: 'Email', isName: true, cell: ({ email }) => email },
        { title: 'Role', cell: ({ role }) => ROLE_LABELS[role].name },
        {
          title: 'Invited by',
          wideOnly: true,
          cell: ({ invited_by, invited_by_name }) =>
            invited_by.startsWith('dirt_') ? 'Directory' : (invited_by_name ?? 'A former member'),
        },
        { title: 'Sent', cell: ({ sent_at }) => <TimeAgo at={sent_at} /> },
        {
          title: 'Expires',
          cell: ({ state, expires_at }) =>
            state === 'expired' ? <Badge color="gray">expired</Badge> : <TimeAgo at={expires_at} />,
        },
        {
          title: 'Actions',
          hideTitle: true,
          align: 'right',
          cell: ({ id, email }) => (
            <Group gap={4} justify="var(--cell-justify)" wrap="nowrap">
              <Button
                size="compact-sm"
                variant="subtle"
                aria-label={`Resend invitation to ${email}`}
                onClick={() => resend.mutate(id)}
              >
                Resend
              </Button>
              <ConfirmButton
                label="Revoke"
                ariaLabel={`Revoke invitation for ${email}`}
                title={`Revoke invitation for ${email}`}
                effect="The link stops working."
                confirm="Revoke invitation"
                action={() => revoke.mutateAsync(id)}
                pending={revoke.isPending}
                error={revoke.error}
              />
            </Group>
          ),
        },
      ]}
    />
  );
}
