import type { CreateProjectRequest, FailMode, StrictnessLevel, UseCase } from '@csg/shared/contract';
import { Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { toFields } from '../../components/form-errors.ts';
import { FormModal } from '../../components/form-modal.tsx';
import { type ApiError, callApi } from '../../data/api.ts';
import { useApiMutation } from '../../data/hooks.ts';
import { FailModeChoice, PresetChoice } from './preset-choice.tsx';

export function CreateProject(props: { readonly opened: boolean; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const [error, setError] = useState<ApiError | null>(null);
  const form = useForm({
    initialValues: {
      name: '',
      description: '',
      use_case: 'default' as UseCase,
      strictness_level: 'moderate' as StrictnessLevel,
      fail_mode: 'open' as FailMode,
    },
    validate: { name: (name) => (name.trim() === '' ? 'Enter the name of the application.' : null) },
  });
  const create = useApiMutation(
    (body: CreateProjectRequest) => callApi<{ id: string }>('POST', '/projects', { body }),
    { refresh: ['/projects'], quiet: true, successMessage: 'Project created.' },
  );
  return (
    <FormModal
      opened={props.opened}
      onClose={props.onClose}
      title="Create a project"
      submit="Create project"
      size="lg"
      pending={create.isPending}
      error={error}
      onSubmit={form.onSubmit((values) => {
        setError(null);
        create.mutate(values, {
          onSuccess: ({ id }) => navigate(`/projects/${id}`),
          onError: (error) => setError(toFields(error, form)),
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
      <Textarea label="Description" maxLength={500} autosize {...form.getInputProps('description')} />
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
