import type { CreatedEnrollment, CreateOwnEnrollment } from '@csg/shared/contract';
import { Select } from '@mantine/core';
import { useState } from 'react';
import { FormModal } from '../../components/form-modal.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation } from '../../data/hooks.ts';
import { projectChoices, useProjects } from '../../data/projects.ts';

/** Enrolls a member's own computer. */
export function EnrollOwnDevice(props: {
  readonly onCreated: (created: CreatedEnrollment) => void;
  readonly onClose: () => void;
}) {
  const projects = useProjects();
  const [projectId, setProjectId] = useState<string | null>(null);
  const chosen = projectId ?? projects.data?.[0]?.id ?? '';
  const create = useApiMutation(
    (body: CreateOwnEnrollment) => callApi<CreatedEnrollment>('POST', '/own-enrollments', { body }),
    { quiet: true },
  );
  return (
    <FormModal
      opened
      onClose={props.onClose}
      title="Enroll your device"
      submit="Create token"
      pending={create.isPending}
      error={create.error}
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate(
          { project_id: chosen },
          {
            onSuccess: (created) => {
              props.onCreated(created);
              props.onClose();
            },
          },
        );
      }}
    >
      <Select
        label="Project"
        description="Its preset and policies apply to the device. The device is assigned to you."
        data={projectChoices(projects.data)}
        allowDeselect={false}
        value={chosen}
        onChange={setProjectId}
      />
    </FormModal>
  );
}
