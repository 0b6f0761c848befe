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
    successMessage: 'Sent again, with a new link. The old one does not work any more.',
  });
  const revoke = useApiMutation((id: string) => callApi('DELETE', `/invitations/${id}`), {
    refresh: ['/invitations'],
    successMessage: 'The invitation is taken back.',
    quiet: true,
  });
  return (
    <DataTable
      label="Open invitations"
      rows={read.data}
      rowKey={({ id }) => id}
      error={read.error}
      retry={() => read.refetch()}
      isDim={({ state }) => state === 'expired'}
      empty={
        <Text size="sm" c="dimmed">
          Nobody is invited at the moment.
        </Text>
      }
      columns={[
        { title: 'E-mail', isName: true, cell: ({ email }) => email },
        { title: 'As', cell: ({ role }) => ROLE_LABELS[role].name },
        {
          title: 'By',
          wideOnly: true,
          cell: ({ invited_by }) => (invited_by.startsWith('dirt_') ? 'Directory' : invited_by),
        },
        { title: 'Sent', cell: ({ sent_at }) => <TimeAgo at={sent_at} /> },
        {
          title: 'Ends',
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
                aria-label={`Send to ${email} again`}
                onClick={() => resend.mutate(id)}
              >
                Send again
              </Button>
              <ConfirmButton
                label="Take back"
                ariaLabel={`Take back the invitation of ${email}`}
                title={`Take back the invitation of ${email}`}
                effect="Its link does not work any more."
                confirm="Take it back"
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
