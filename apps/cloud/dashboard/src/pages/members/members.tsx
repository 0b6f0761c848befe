import type { MemberRecord } from '@csg/shared/contract';
import { Button, Card } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { DataTable } from '../../components/data-table.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { useProjects } from '../../data/projects.ts';
import { isAtLeast, useSession } from '../../data/session.ts';
import { Invitations } from './invitations.tsx';
import { Invite } from './invite.tsx';
import { memberColumns } from './member-columns.tsx';

export function Members() {
  const session = useSession();
  const isAdmin = isAtLeast(session, 'admin');
  const [isInviting, { open, close }] = useDisclosure(false);
  const read = useApiQuery<MemberRecord[]>('/members');
  const projects = useProjects();
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
      about="Members of this organization and their permissions. Another person must approve each exception."
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
          inSteps
          rows={read.data}
          rowKey={({ user_id }) => user_id}
          error={read.error}
          retry={() => read.refetch()}
          empty={<Empty title="No members" />}
          columns={memberColumns({ session, isAdmin, projects: projects.data ?? [], change, remove })}
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
