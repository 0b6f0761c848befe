import type {
  DashboardProject,
  DirectoryGroupRecord,
  OrganizationResponse,
  RoleMappingRecord,
  RoleMapRequest,
} from '@csg/shared/contract';
import { Button, Card, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { callApi } from '../../data/api.ts';
import { countText } from '../../data/format.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { useProjects } from '../../data/projects.ts';
import { isAtLeast, useSession } from '../../data/session.ts';
import { ROLE_LABELS } from '../members/role-labels.ts';
import { GiveGroupRole } from './give-group-role.tsx';

/** A group of the directory, or a value that only the map names. */
interface GroupRow {
  readonly key: string;
  readonly name: string;
  readonly about: string;
  /** null: no group that a directory pushed. */
  readonly members: number | null;
  readonly mappings: readonly RoleMappingRecord[];
}

/** The role map: which groups of the directory, and values of the role claim, give which roles. */
export function GroupRoles() {
  const isAdmin = isAtLeast(useSession(), 'admin');
  return (
    <Page
      title="Roles of groups"
      about="Members have the strongest role of their groups, in the organization and in projects. Groups come from directory sync; values of the role claim from single sign-on. A group never makes or changes an owner."
    >
      {isAdmin ? (
        <GroupTable />
      ) : (
        <Text>Only admins and owners of this organization can see and change roles of groups.</Text>
      )}
    </Page>
  );
}

function GroupTable() {
  const organization = useApiQuery<OrganizationResponse>('/organization');
  const groups = useApiQuery<DirectoryGroupRecord[]>('/organization/groups');
  const projects = useProjects().data ?? [];
  const [search, setSearch] = useState('');
  /** The group that is given a role; `null` value: one that is typed. */
  const [giving, setGiving] = useState<{ readonly value: string | null; readonly name: string } | null>(null);
  const change = useChangeMap();
  const rows =
    organization.data && groups.data && groupRows(groups.data, organization.data.role_map).filter(matches);
  function matches({ name, key }: GroupRow): boolean {
    return `${name} ${key}`.toLowerCase().includes(search.trim().toLowerCase());
  }
  return (
    <Card p={{ base: 'sm', sm: 'md' }}>
      <Stack>
        <Group justify="space-between" align="end">
          {rows?.length === 0 && search === '' ? (
            <div />
          ) : (
            <TextInput
              label="Find a group"
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
            />
          )}
          <Button variant="default" onClick={() => setGiving({ value: null, name: '' })}>
            Add a claim value
          </Button>
        </Group>
        <DataTable
          label="Groups"
          inSteps
          rows={rows}
          rowKey={({ key }) => key}
          error={organization.error ?? groups.error}
          retry={() => Promise.all([organization.refetch(), groups.refetch()])}
          empty={
            <Empty title={search === '' ? 'No groups yet' : 'No group matches'}>
              {search === '' &&
                'Assign groups to this service in your identity provider, with a token of Settings, Directory sync; or add a value of the role claim of single sign-on.'}
            </Empty>
          }
          columns={[
            {
              title: 'Group',
              isName: true,
              sortBy: ({ name }) => name.toLowerCase(),
              cell: ({ name, about }) => (
                <>
                  <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
                    {name}
                  </Text>
                  <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                    {about}
                  </Text>
                </>
              ),
            },
            {
              title: 'Members',
              sortBy: ({ members }) => members,
              cell: ({ members }) => (members === null ? '–' : countText(members)),
            },
            {
              title: 'Roles',
              sortBy: ({ mappings }) =>
                mappings[0] === undefined ? null : ROLE_LABELS[mappings[0].role].name,
              cell: (row) => (
                <GivenRoles
                  row={row}
                  projects={projects}
                  onRemove={(one) => change.mutateAsync(without(one))}
                />
              ),
            },
            {
              title: 'Actions',
              hideTitle: true,
              align: 'right',
              cell: ({ key, name }) => (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  aria-label={`Give ${name} a role`}
                  onClick={() => setGiving({ value: key, name })}
                >
                  Give role
                </Button>
              ),
            },
          ]}
        />
      </Stack>
      {giving !== null && (
        <GiveGroupRole
          {...giving}
          projects={projects}
          pending={change.isPending}
          error={change.error}
          onGive={(mapping) =>
            change.mutate((map) => [...map, mapping], { onSuccess: () => setGiving(null) })
          }
          onClose={() => {
            change.reset();
            setGiving(null);
          }}
        />
      )}
    </Card>
  );
}

function GivenRoles(props: {
  readonly row: GroupRow;
  readonly projects: readonly DashboardProject[];
  readonly onRemove: (mapping: RoleMappingRecord) => Promise<unknown>;
}) {
  const { name, mappings } = props.row;
  if (mappings.length === 0) return '–';
  return mappings.map((mapping) => {
    const project = props.projects.find(({ id }) => id === mapping.project_id)?.name ?? 'a project';
    const role = `${ROLE_LABELS[mapping.role].name}${mapping.project_id === null ? '' : ` in ${project}`}`;
    return (
      <Group key={`${mapping.group} ${mapping.project_id}`} gap={4} justify="var(--cell-justify)">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {role}
          {mapping.by_name && (
            <Text span size="xs" c="dimmed">
              {' '}
              by name
            </Text>
          )}
        </Text>
        <ConfirmButton
          size="compact-xs"
          label="Remove"
          ariaLabel={`Remove ${role} of ${name}`}
          title={`Remove "${role}" of ${name}`}
          effect="Members of the group immediately have the role of their other groups, or else the one that a person assigned. A role from single sign-on ends at the next sign-in."
          confirm="Remove role"
          action={() => props.onRemove(mapping)}
        />
      </Group>
    );
  });
}

type ChangeMap = (map: readonly RoleMappingRecord[]) => readonly RoleMappingRecord[];

/** Changes the map as it is now, because a request replaces it and another admin may have changed it. */
function useChangeMap() {
  return useApiMutation(
    async (change: ChangeMap) => {
      const { role_map: map } = await callApi<OrganizationResponse>('GET', '/organization');
      const body: { readonly role_map: RoleMapRequest } = {
        role_map: change(map).map(({ group, role, project_id, by_name }) => ({
          ...{ group, role, by_name },
          ...(project_id === null ? {} : { project_id }),
        })),
      };
      return await callApi('PATCH', '/organization', { body });
    },
    { refresh: ['/organization', '/members', '/session'], quiet: true, successMessage: 'Saved.' },
  );
}

const without =
  (removed: RoleMappingRecord): ChangeMap =>
  (map) =>
    map.filter(({ group, project_id }) => group !== removed.group || project_id !== removed.project_id);

/** Groups with a role come first. Exported values of the directory match as the service matches them. */
function groupRows(
  groups: readonly DirectoryGroupRecord[],
  map: readonly RoleMappingRecord[],
): readonly GroupRow[] {
  const pushed = groups.map(({ id, name, external_id, members }) => ({
    // A claim of the provider names a group by the directory's id, too.
    key: external_id ?? id,
    name,
    about: external_id ?? id,
    members,
    mappings: map.filter(
      ({ group, by_name }) => group === id || group === external_id || (by_name && group === name),
    ),
  }));
  const known = new Set(pushed.flatMap(({ mappings }) => mappings));
  const others = Map.groupBy(
    map.filter((mapping) => !known.has(mapping)),
    ({ group }) => group,
  );
  const named = [...others].map(([group, mappings]) => ({
    ...{ key: group, name: group, mappings, members: null },
    about: 'A value of the role claim, or a group that was not pushed',
  }));
  return [...named, ...pushed].toSorted(
    (a, b) => Number(b.mappings.length > 0) - Number(a.mappings.length > 0),
  );
}
