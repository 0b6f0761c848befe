import type { CreateProjectRequest, FailMode, StrictnessLevel, UseCase } from '@csg/shared/contract';
import { Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { type ApiFault, callApi } from '../../data/api.ts';
import { useAct } from '../../data/hooks.ts';
import { toFields } from '../../parts/form-fault.ts';
import { FormModal } from '../../parts/form-modal.tsx';
import { FailModeChoice, PresetChoice } from './preset-choice.tsx';

export function CreateProject(props: { readonly opened: boolean; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const [fault, setFault] = useState<ApiFault | null>(null);
  const form = useForm({
    initialValues: {
      name: '',
      description: '',
      use_case: 'default' as UseCase,
      strictness_level: 'moderate' as StrictnessLevel,
      fail_mode: 'open' as FailMode,
    },
    validate: { name: (name) => (name.trim() === '' ? 'Give it the name of the application.' : null) },
  });
  const create = useAct(
    (body: CreateProjectRequest) => callApi<{ id: string }>('POST', '/projects', { body }),
    { refresh: ['/projects'], quiet: true, done: 'The project is made.' },
  );
  return (
    <FormModal
      opened={props.opened}
      onClose={props.onClose}
      title="Create a project"
      submit="Create the project"
      size="lg"
      pending={create.isPending}
      fault={fault}
      onSubmit={form.onSubmit((values) => {
        setFault(null);
        create.mutate(values, {
          onSuccess: ({ id }) => navigate(`/projects/${id}`),
          onError: (error) => setFault(toFields(error, form)),
        });
      })}
    >
      <TextInput
        label="Name"
        placeholder="Support bot"
        maxLength={100}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Textarea label="What it is" maxLength={500} autosize {...form.getInputProps('description')} />
      <PresetChoice
        useCase={form.values.use_case}
        strictness={form.values.strictness_level}
        onUseCase={(value) => form.setFieldValue('use_case', value)}
        onStrictness={(value) => form.setFieldValue('strictness_level', value)}
      />
      <FailModeChoice
        value={form.values.fail_mode}
        onChange={(value) => form.setFieldValue('fail_mode', value)}
      />
    </FormModal>
  );
}
