import type { OwnInvitationRecord } from '@csg/shared/contract';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconUsersPlus } from '@tabler/icons-react';
import { callApi } from '../data/api.ts';
import { timeText } from '../data/format.ts';
import { useApiMutation, useApiQuery } from '../data/hooks.ts';

/** The user's pending invitations. Shows the email of the inviter, because organizations can have the same name. */
export function OwnInvitations() {
  const read = useApiQuery<OwnInvitationRecord[]>('/account/invitations');
  const accept = useApiMutation((id: string) => callApi('POST', `/account/invitations/${id}/accept`));
  const decline = useApiMutation((id: string) => callApi('DELETE', `/account/invitations/${id}`), {
    refresh: ['/account/invitations'],
    successMessage: 'Invitation declined.',
  });
  if (read.data === undefined || read.data.length === 0) return null;
  return (
    <Stack gap="sm" mb="lg">
      {read.data.map((invitation) => (
        <Alert
          key={invitation.id}
          icon={<IconUsersPlus size={18} />}
          title={`Invitation to join ${invitation.organization_name}`}
        >
          <Text size="sm" mb="sm" style={{ overflowWrap: 'anywhere' }}>
            Role: {invitation.role}. Invited by{' '}
            {invitation.invited_by ?? `the directory of the organization owned by ${invitation.owner_email}`}.
            Expires {timeText(invitation.expires_at)}.
          </Text>
          <Group gap="xs">
            <Button
              size="xs"
              loading={accept.isPending}
              onClick={() =>
                accept.mutate(invitation.id, { onSuccess: () => location.assign('/dashboard/') })
              }
            >
              Accept
            </Button>
            <Button
              size="xs"
              variant="default"
              loading={decline.isPending}
              onClick={() => decline.mutate(invitation.id)}
            >
              Decline
            </Button>
          </Group>
        </Alert>
      ))}
    </Stack>
  );
}
