import type { CreatedKey, CreateKeyRequest, Permission } from '@csg/shared/contract';
import {
  Button,
  Checkbox,
  Group,
  Modal,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { ShownOnce } from '../../components/copy-text.tsx';
import { toFields } from '../../components/form-errors.ts';
import { FormModal } from '../../components/form-modal.tsx';
import { type ApiError, callApi } from '../../data/api.ts';
import { useApiMutation } from '../../data/hooks.ts';
import { namesOf, PERMISSION_LABELS } from '../../data/labels.ts';
import { projectChoices, useProjects } from '../../data/projects.ts';
import { isAtLeast, useSession } from '../../data/session.ts';
import { KeySnippets } from './key-snippets.tsx';

const DAY_MS = 86_400_000;
const LIFETIMES = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 1 year' },
];

const NO_LIMITS = { allowed_models: [] as string[], daily_token_limit: '' as number | string };

export function CreateKey(props: { readonly opened: boolean; readonly onClose: () => void }) {
  const [error, setError] = useState<ApiError | null>(null);
  const session = useSession();
  const projects = useProjects().data?.filter(({ id }) => isAtLeast(session, 'member', id));
  const first = projects?.[0]?.id ?? '';
  const form = useForm({
    initialValues: { name: '', project_id: '', permissions: [] as Permission[], days: '', ...NO_LIMITS },
    validate: { name: (name) => (name.trim() === '' ? 'Enter the name of the application.' : null) },
  });
  const create = useApiMutation((body: CreateKeyRequest) => callApi<CreatedKey>('POST', '/keys', { body }), {
    refresh: ['/keys', '/projects'],
    quiet: true,
  });
  const close = () => {
    props.onClose();
    form.reset();
    setError(null);
    create.reset();
  };
  if (create.data !== undefined) return <CreatedKeyDialog created={create.data} onClose={close} />;
  return (
    <FormModal
      opened={props.opened}
      onClose={close}
      title="Create an API key"
      submit="Create API key"
      pending={create.isPending}
      error={error}
      onSubmit={form.onSubmit(
        ({ name, project_id, permissions, days, allowed_models, daily_token_limit }) => {
          setError(null);
          create.mutate(
            {
              name: name.trim(),
              project_id: project_id || first,
              permissions,
              allowed_models,
              ...(daily_token_limit === '' ? {} : { daily_token_limit: Number(daily_token_limit) }),
              ...(days === ''
                ? {}
                : { expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
            },
            { onError: (error) => setError(toFields(error, form)) },
          );
        },
      )}
    >
      <TextInput
        label="Name"
        placeholder="Support bot, production"
        maxLength={50}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Select
        label="Project"
        description="Its preset and policies apply to requests with this key."
        data={projectChoices(projects)}
        allowDeselect={false}
        {...form.getInputProps('project_id')}
        value={form.values.project_id || first}
      />
      <Select label="Expires" data={LIFETIMES} allowDeselect={false} {...form.getInputProps('days')} />
      <TagsInput
        label="Allowed models"
        description="Empty: all models."
        placeholder="Add a model and press Enter"
        {...form.getInputProps('allowed_models')}
      />
      <NumberInput
        label="Tokens per day"
        description="As providers count them, in UTC. Empty: no limit."
        min={1}
        allowDecimal={false}
        thousandSeparator=","
        {...form.getInputProps('daily_token_limit')}
      />
      <Checkbox.Group
        label="Permissions"
        description="If none are selected, the key has full access. An application that only sends requests needs the first two."
        {...form.getInputProps('permissions')}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs" spacing="xs">
          {namesOf(PERMISSION_LABELS).map((name) => (
            <Checkbox key={name} value={name} label={PERMISSION_LABELS[name]} />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
    </FormModal>
  );
}

function CreatedKeyDialog(props: { readonly created: CreatedKey; readonly onClose: () => void }) {
  const { key } = props.created;
  return (
    <Modal opened onClose={props.onClose} title="API key created" size="lg" closeOnClickOutside={false}>
      <Stack>
        <ShownOnce
          value={key}
          label="API key"
          about="Copy it to your application now. You can reveal it later, which is recorded in the audit log."
        />
        <KeySnippets apiKey={key} />
        <Group justify="flex-end">
          <Button onClick={props.onClose} data-autofocus>
            Done
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
