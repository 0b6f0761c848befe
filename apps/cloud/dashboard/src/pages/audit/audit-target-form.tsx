import type { AuditTarget } from '@csg/shared/contract';
import { Alert, Button, Card, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { toFields } from '../../components/form-errors.ts';
import { Section } from '../../components/page.tsx';
import { ErrorAlert, Loaded } from '../../components/states.tsx';
import { type ApiError, callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';

/** The URL that receives checkpoints, in addition to the local file. */
export function AuditTargetForm() {
  const read = useApiQuery<AuditTarget>('/audit-log/target');
  return (
    <Card h="100%">
      <Section
        title="External checkpoints"
        about="Each signed checkpoint is also sent to this URL. Store these where your administrators have no write access."
      >
        <Loaded read={read} height={90}>
          {(target) => <Form key={target.url} target={target} />}
        </Loaded>
      </Section>
    </Card>
  );
}

function Form(props: { readonly target: AuditTarget }) {
  const [error, setError] = useState<ApiError | null>(null);
  const form = useForm({ initialValues: { url: props.target.url ?? '' } });
  const save = useApiMutation(
    (url: string) => callApi<AuditTarget>('PUT', '/audit-log/target', { body: { url } }),
    {
      refresh: ['/audit-log/target'],
      quiet: true,
      successMessage: 'Saved.',
    },
  );
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ url }) => {
        setError(null);
        save.mutate(url.trim(), { onError: (error) => setError(toFields(error, form)) });
      })}
    >
      <Stack gap="sm">
        <TextInput
          label="URL"
          placeholder="https://archive.example.com/checkpoints"
          type="url"
          maxLength={2048}
          {...form.getInputProps('url')}
        />
        {(save.data ?? props.target).warnings.map((warning) => (
          <Alert key={warning} color="yellow">
            {warning}
          </Alert>
        ))}
        {error && <ErrorAlert error={error} />}
        <Group justify="flex-end">
          <Button type="submit" variant="default" disabled={!form.isDirty()} loading={save.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
