import type { MemberRecord, ProjectRoleRecord } from '@csg/shared/contract';
import { Button, Card, Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Section } from '../../components/page.tsx';
import { ErrorAlert, Loaded } from '../../components/states.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { ROLE_LABELS } from '../members/role-labels.ts';

type ProjectRole = ProjectRoleRecord['role'];
interface Change {
  readonly userId: string;
  /** null: removes it. */
  readonly role: ProjectRole | null;
}
const ROLES: { value: ProjectRole; label: string }[] = [
  { value: 'admin', label: 'Admin' },
  { value: 'member', label: 'Member' },
];

/** Roles that members have in this project only. */
export function ProjectRoles(props: { readonly projectId: string; readonly isReader: boolean }) {
  const { projectId, isReader } = props;
  const path = `/projects/${projectId}/roles`;
  const read = useApiQuery<ProjectRoleRecord[]>(path);
  const change = useApiMutation(
    ({ userId, role }: Change) =>
      role === null
        ? callApi('DELETE', `${path}/${userId}`)
        : callApi('PUT', `${path}/${userId}`, { body: { role } }),
    {
      refresh: [path, '/members', '/session'],
      quiet: true,
      successMessage: (_data, { role }) => (role === null ? 'Role removed.' : 'Role changed.'),
    },
  );
  return (
    <Card>
      <Section
        title="Project roles"
        about="Roles in this project only. The higher one of this role and the role in the organization applies."
      >
        <Loaded read={read} height={80}>
          {(roles) => (
            <Stack gap="sm">
              {roles.length === 0 && (
                <Text size="sm" c="dimmed">
                  No member has a role in this project.
                </Text>
              )}
              {roles.map((given) => (
                <GivenRole
                  key={`${given.user_id} ${given.source}`}
                  given={given}
                  isReader={isReader}
                  onChange={(role) => change.mutate({ userId: given.user_id, role })}
                  onRemove={() => change.mutateAsync({ userId: given.user_id, role: null })}
                />
              ))}
              {change.error && <ErrorAlert error={change.error} />}
              {!isReader && (
                <GiveRole
                  taken={roles
                    .filter(({ source }) => source === 'assigned')
                    .map(({ user_id: userId }) => userId)}
                  pending={change.isPending}
                  onGive={(userId, role) => change.mutateAsync({ userId, role })}
                />
              )}
            </Stack>
          )}
        </Loaded>
      </Section>
    </Card>
  );
}

function GivenRole(props: {
  readonly given: ProjectRoleRecord;
  readonly isReader: boolean;
  readonly onChange: (role: ProjectRole) => void;
  readonly onRemove: () => Promise<unknown>;
}) {
  const { given } = props;
  const name = given.name ?? given.email;
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs">
      <div style={{ minWidth: 0 }}>
        <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {ROLE_LABELS[given.organization_role].name} of the organization
        </Text>
      </div>
      {given.source !== 'assigned' ? (
        <Text size="sm">
          {ROLE_LABELS[given.role].name} by{' '}
          {given.source === 'groups' ? 'a directory group' : 'single sign-on'}
        </Text>
      ) : props.isReader ? (
        <Text size="sm">{ROLE_LABELS[given.role].name}</Text>
      ) : (
        <Group gap={6} wrap="nowrap">
          <Select
            size="xs"
            w={100}
            aria-label={`Role of ${name} in this project`}
            allowDeselect={false}
            value={given.role}
            data={ROLES}
            onChange={(role) => role !== null && props.onChange(role)}
          />
          <ConfirmButton
            size="compact-xs"
            variant="subtle"
            color="gray"
            label="Remove"
            ariaLabel={`Remove the role of ${name}`}
            title={`Remove the role of ${name}`}
            effect="From the next request on, only their role in the organization applies in this project. Their API keys continue to work."
            confirm="Remove role"
            action={props.onRemove}
          />
        </Group>
      )}
    </Group>
  );
}

function GiveRole(props: {
  readonly taken: readonly string[];
  readonly pending: boolean;
  readonly onGive: (userId: string, role: ProjectRole) => Promise<unknown>;
}) {
  const members = useApiQuery<MemberRecord[]>('/members');
  const [userId, setUserId] = useState<string | null>(null);
  const [role, setRole] = useState<ProjectRole>('member');
  const choices = (members.data ?? []).filter(
    (member) => !['owner', 'admin'].includes(member.role) && !props.taken.includes(member.user_id),
  );
  const give = async () => {
    if (userId === null) return;
    await props.onGive(userId, role);
    setUserId(null);
  };
  return (
    <Group align="end" gap="xs" wrap="nowrap">
      <Select
        label="Give a role to"
        placeholder={choices.length === 0 ? 'No other members' : 'Choose a member'}
        size="xs"
        searchable
        style={{ flex: 1, minWidth: 0 }}
        disabled={choices.length === 0}
        value={userId}
        data={choices.map((member) => ({ value: member.user_id, label: member.name ?? member.email }))}
        onChange={setUserId}
      />
      <Select
        label="Role"
        size="xs"
        w={100}
        allowDeselect={false}
        value={role}
        data={ROLES}
        onChange={(value) => setRole(value ?? role)}
      />
      <Button
        size="xs"
        variant="default"
        disabled={userId === null}
        loading={props.pending}
        onClick={() => give().catch(() => undefined)}
      >
        Add
      </Button>
    </Group>
  );
}
