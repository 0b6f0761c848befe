import type { DashboardProject, MemberRecord } from '@csg/shared/contract';
import { Anchor, Badge, Group, NativeSelect, Text } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { Link } from 'react-router';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import type { Column } from '../../components/data-table.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import type { ApiError } from '../../data/api.ts';
import type { Role, useSession } from '../../data/session.ts';
import { ASSIGNABLE_ROLES, ROLE_LABELS } from './role-labels.ts';

interface MemberActs {
  readonly session: ReturnType<typeof useSession>;
  readonly isAdmin: boolean;
  readonly projects: readonly DashboardProject[];
  readonly change: UseMutationResult<unknown, ApiError, { userId: string; role: string }>;
  readonly remove: UseMutationResult<unknown, ApiError, string>;
}

export function memberColumns({
  session,
  isAdmin,
  projects,
  change,
  remove,
}: MemberActs): readonly Column<MemberRecord>[] {
  return [
    {
      title: 'Name',
      isName: true,
      sortBy: ({ name, email }) => (name ?? email).toLowerCase(),
      cell: ({ name, email, user_id, is_from_directory }) => (
        <>
          <Group gap={6}>
            <Text size="sm" fw={550}>
              {name ?? email}
              {user_id === session.user.id && ' (you)'}
            </Text>
            {is_from_directory && <Badge color="gray">directory</Badge>}
          </Group>
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
      sortBy: ({ role }) => ROLE_LABELS[role].name,
      cell: ({ role, user_id, name, email, role_source, role_groups, project_roles }) => (
        <>
          {isAdmin && role_source === 'assigned' && role !== 'owner' && user_id !== session.user.id ? (
            // A native select, because one of the library in each row takes seconds on a slow computer.
            <NativeSelect
              size="xs"
              w={120}
              aria-label={`Role of ${name ?? email}`}
              value={role}
              data={assignableRoles()}
              onChange={(event) => change.mutate({ userId: user_id, role: event.currentTarget.value })}
            />
          ) : (
            ROLE_LABELS[role].name
          )}
          <ProjectRolesText roles={project_roles} projects={projects} />
          {role_groups.length > 0 && (
            <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              by {role_groups.length === 1 ? 'group' : 'groups'} {role_groups.join(' · ')}
            </Text>
          )}
          {role_source === 'claim' && (
            <Text size="xs" c="dimmed">
              by single sign-on
            </Text>
          )}
        </>
      ),
    },
    {
      title: 'Two-factor',
      wideOnly: 'or-card',
      cell: ({ has_second_factor }) => (has_second_factor ? 'on' : 'off'),
    },
    {
      title: 'Joined',
      wideOnly: 'or-card',
      sortBy: ({ joined_at }) => joined_at,
      cell: ({ joined_at }) => <TimeAgo at={joined_at} />,
    },
    {
      title: 'Last sign-in',
      wideOnly: 'or-card',
      sortBy: ({ last_sign_in_at }) => last_sign_in_at,
      cell: ({ last_sign_in_at, has_signed_in }) => (
        <TimeAgo at={last_sign_in_at} never={has_signed_in ? 'not recorded' : 'never'} />
      ),
    },
    {
      title: 'Last seen',
      sortBy: ({ last_seen_at }) => last_seen_at,
      cell: ({ last_seen_at }) => <TimeAgo at={last_seen_at} never="–" />,
    },
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
  ];
}

/** Roles in single projects that exceed the role in the organization. */
function ProjectRolesText(props: {
  readonly roles: MemberRecord['project_roles'];
  readonly projects: readonly DashboardProject[];
}) {
  return props.roles.map(({ project_id, role }) => (
    <Text key={project_id} size="xs" c="dimmed">
      {ROLE_LABELS[role].name} in{' '}
      <Anchor component={Link} to={`/projects/${project_id}`} size="xs">
        {props.projects.find(({ id }) => id === project_id)?.name ?? 'a project'}
      </Anchor>
    </Text>
  ));
}

function assignableRoles(): { value: Role; label: string }[] {
  return ASSIGNABLE_ROLES.map((value) => ({ value, label: ROLE_LABELS[value].name }));
}
