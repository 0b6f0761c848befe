import type { DashboardProject, RoleMappingRecord } from '@csg/shared/contract';
import { Checkbox, NativeSelect, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FormModal } from '../../components/form-modal.tsx';
import type { ApiError } from '../../data/api.ts';
import { ASSIGNABLE_ROLES, ROLE_LABELS } from '../members/role-labels.ts';

type Role = RoleMappingRecord['role'];
const IN_PROJECTS: readonly Role[] = ['admin', 'member'];

export function GiveGroupRole(props: {
  /** null: typed here. */
  readonly value: string | null;
  readonly name: string;
  readonly projects: readonly DashboardProject[];
  readonly pending: boolean;
  readonly error: ApiError | null;
  readonly onGive: (mapping: RoleMappingRecord) => void;
  readonly onClose: () => void;
}) {
  const isTyped = props.value === null;
  const [typed, setTyped] = useState('');
  const [byName, setByName] = useState(false);
  const [role, setRole] = useState<Role>('member');
  const [projectId, setProjectId] = useState('');
  const roles = projectId === '' ? ASSIGNABLE_ROLES : IN_PROJECTS;
  return (
    <FormModal
      opened
      onClose={props.onClose}
      title={isTyped ? 'Add a claim value' : `Give ${props.name} a role`}
      submit="Give role"
      pending={props.pending}
      error={props.error}
      onSubmit={(event) => {
        event.preventDefault();
        const group = props.value ?? typed.trim();
        if (group !== '') props.onGive({ group, role, project_id: projectId || null, by_name: byName });
      }}
    >
      {isTyped && (
        <>
          <TextInput
            label="Value"
            description="As the role claim sends it: a group's id or name, compared exactly."
            required
            maxLength={256}
            data-autofocus
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Checkbox
            label="Also a directory group of this name"
            description="Whoever may create or rename groups in the directory then decides who has the role."
            checked={byName}
            onChange={(event) => setByName(event.currentTarget.checked)}
          />
        </>
      )}
      <NativeSelect
        label="Where"
        value={projectId}
        data={[
          { value: '', label: 'The organization' },
          ...props.projects.map(({ id, name }) => ({ value: id, label: `Project ${name}` })),
        ]}
        onChange={(event) => {
          setProjectId(event.currentTarget.value);
          if (event.currentTarget.value !== '' && !IN_PROJECTS.includes(role)) setRole('member');
        }}
      />
      <NativeSelect
        label="Role"
        value={role}
        data={roles.map((value) => ({ value, label: ROLE_LABELS[value].name }))}
        onChange={(event) => setRole(event.currentTarget.value as Role)}
      />
      <Text size="sm" c="dimmed">
        {ROLE_LABELS[role].about}.{isTyped ? '' : ' Members of the group have it immediately.'}
      </Text>
    </FormModal>
  );
}
