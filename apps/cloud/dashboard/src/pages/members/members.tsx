import type { MemberRecord } from '@csg/shared/contract';
import { Button, Card, Select, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { isAtLeast, type Role, useSession } from '../../data/session.ts';
import { Invitations } from './invitations.tsx';
import { Invite } from './invite.tsx';
import { ASSIGNABLE_ROLES, ROLE_LABELS } from './role-labels.ts';

export function Members() {
  const session = useSession();
  const isAdmin = isAtLeast(session, 'admin');
  const [isInviting, { open, close }] = useDisclosure(false);
  const read = useApiQuery<MemberRecord[]>('/members');
  const change = useApiMutation(
    ({ userId, role }: { userId: string; role: string }) =>
      callApi('PATCH', `/members/${userId}`, { body: { role } }),
    { refresh: ['/members'], successMessage: 'Role changed.' },
  );
  const remove = useApiMutation((userId: string) => callApi('DELETE', `/members/${userId}`), {
    refresh: ['/members', '/keys', '/devices'],
    successMessage: 'Member removed.',
    quiet: true,
  });
  return (
    <Page
      title="Members"
      about="Members of this organization and their permissions. Another person has to approve each exception."
      actions={
        isAdmin ? (
          <Button leftSection={<IconPlus size={16} />} onClick={open}>
            Invite member
          </Button>
        ) : null
      }
    >
      <Card p={{ base: 'sm', sm: 'md' }}>
        <DataTable
          label="Members"
          rows={read.data}
          rowKey={({ user_id }) => user_id}
          error={read.error}
          retry={() => read.refetch()}
          empty={<Empty title="No members" />}
          columns={[
            {
              title: 'Name',
              isName: true,
              cell: ({ name, email, user_id }) => (
                <>
                  <Text size="sm" fw={550}>
                    {name ?? email}
                    {user_id === session.user.id && ' (you)'}
                  </Text>
                  {name !== null && (
                    <Text size="xs" c="dimmed">
                      {email}
                    </Text>
                  )}
                </>
              ),
            },
            {
              title: 'Role',
              cell: ({ role, user_id, name, email }) =>
                isAdmin && role !== 'owner' && user_id !== session.user.id ? (
                  <Select
                    size="xs"
                    w={120}
                    aria-label={`Role of ${name ?? email}`}
                    allowDeselect={false}
                    value={role}
                    data={assignableRoles()}
                    onChange={(value) => value !== null && change.mutate({ userId: user_id, role: value })}
                  />
                ) : (
                  ROLE_LABELS[role].name
                ),
            },
            {
              title: 'Permissions',
              wideOnly: true,
              cell: ({ role }) => (
                <Text size="sm" c="dimmed">
                  {ROLE_LABELS[role].about}
                </Text>
              ),
            },
            { title: 'Joined', cell: ({ joined_at }) => <TimeAgo at={joined_at} /> },
            {
              title: 'Actions',
              hideTitle: true,
              align: 'right',
              cell: ({ user_id, role, name, email }) =>
                isAdmin && role !== 'owner' && user_id !== session.user.id ? (
                  <ConfirmButton
                    label="Remove"
                    ariaLabel={`Remove ${name ?? email}`}
                    title={`Remove ${name ?? email}`}
                    effect="The API keys they created in this organization stop working immediately, and the devices assigned to them are revoked. Devices from bulk enrollments and their other organizations are not affected."
                    confirm="Remove member"
                    action={() => remove.mutateAsync(user_id)}
                    pending={remove.isPending}
                    error={remove.error}
                  />
                ) : null,
            },
          ]}
        />
      </Card>
      {isAdmin && (
        <Card p={{ base: 'sm', sm: 'md' }}>
          <Section title="Pending invitations">
            <Invitations />
          </Section>
        </Card>
      )}
      <Invite opened={isInviting} onClose={close} />
    </Page>
  );
}

export function assignableRoles(): { value: Role; label: string }[] {
  return ASSIGNABLE_ROLES.map((value) => ({ value, label: ROLE_LABELS[value].name }));
}
