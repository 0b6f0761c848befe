import type { ChangePolicyWebhook, FailMode, PolicyWebhookRecord } from '@csg/shared/contract';
import { Alert, Button, Card, Group, NumberInput, Select, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { toFields } from '../../components/form-errors.ts';
import { Section } from '../../components/page.tsx';
import { ErrorAlert, Loaded } from '../../components/states.tsx';
import { type ApiError, callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { isAtLeast, useSession } from '../../data/session.ts';

/** An endpoint of the customer that is called in every scan. */
export function PolicyWebhookForm(props: { readonly projectId: string }) {
  const path = `/projects/${props.projectId}/policy-webhook`;
  const read = useApiQuery<PolicyWebhookRecord>(path);
  return (
    <Card>
      <Section
        title="Policy webhook"
        about="Your own endpoint, called in each scan. The stricter of its verdict and the engine's verdict applies."
      >
        <Loaded read={read} height={180}>
          {(record) => <Form projectId={props.projectId} path={path} record={record} />}
        </Loaded>
      </Section>
    </Card>
  );
}

function Form(props: {
  readonly projectId: string;
  readonly path: string;
  readonly record: PolicyWebhookRecord;
}) {
  const { path, record } = props;
  const isReader = !isAtLeast(useSession(), 'admin', props.projectId);
  const [error, setError] = useState<ApiError | null>(null);
  const form = useForm({
    initialValues: {
      url: record.url ?? '',
      enabled: record.enabled,
      fail_mode: record.fail_mode,
      timeout_ms: record.timeout_ms,
    },
  });
  const save = useApiMutation((body: ChangePolicyWebhook) => callApi('PATCH', path, { body }), {
    refresh: [path],
    quiet: true,
    successMessage: 'Saved.',
  });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit((values) => {
        setError(null);
        save.mutate(
          { ...values, fail_mode: values.fail_mode as FailMode },
          { onSuccess: () => form.resetDirty(), onError: (error) => setError(toFields(error, form)) },
        );
      })}
    >
      <fieldset disabled={isReader} style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>
        <Stack gap="sm">
          <TextInput
            label="Policy endpoint URL"
            placeholder="https://policy.example.com/verdict"
            type="url"
            maxLength={2048}
            {...form.getInputProps('url')}
          />
          <Group grow align="flex-start">
            <Select
              label="On timeout or error"
              data={[
                { value: 'open', label: 'Allow' },
                { value: 'closed', label: 'Block' },
              ]}
              allowDeselect={false}
              {...form.getInputProps('fail_mode')}
            />
            <NumberInput
              label="Timeout"
              suffix=" ms"
              min={100}
              max={10_000}
              step={500}
              allowDecimal={false}
              {...form.getInputProps('timeout_ms')}
            />
          </Group>
          <Switch label="Policy webhook enabled" {...form.getInputProps('enabled', { type: 'checkbox' })} />
          {record.warnings.map((warning) => (
            <Alert key={warning} color="yellow">
              {warning}
            </Alert>
          ))}
          {error && <ErrorAlert error={error} />}
          {!isReader && (
            <Group justify="flex-end">
              <Button type="submit" disabled={!form.isDirty()} loading={save.isPending}>
                Save
              </Button>
            </Group>
          )}
        </Stack>
      </fieldset>
    </form>
  );
}
