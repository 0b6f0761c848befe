import type { ChangeRetention, Retention } from '@csg/shared/contract';
import { Button, Card, Group, NumberInput, Stack, Switch } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Section } from '../../components/page.tsx';
import { ErrorAlert, Loaded } from '../../components/states.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';

/** Event retention of a project; the audit chain keeps every decision. */
export function RetentionForm(props: { readonly projectId: string; readonly isReader: boolean }) {
  const path = `/projects/${props.projectId}/retention`;
  const read = useApiQuery<Retention>(path);
  return (
    <Card>
      <Section
        title="Event retention"
        about="Older events are deleted automatically. The audit log keeps a record of each decision."
      >
        <Loaded read={read} height={120}>
          {(retention) => <Form path={path} retention={retention} isReader={props.isReader} />}
        </Loaded>
      </Section>
    </Card>
  );
}

function Form(props: { readonly path: string; readonly retention: Retention; readonly isReader: boolean }) {
  const { path, retention, isReader } = props;
  const form = useForm({
    initialValues: {
      keep_forever: retention.retention_days === null,
      retention_days: retention.retention_days ?? 90,
    },
  });
  const save = useApiMutation((body: ChangeRetention) => callApi<Retention>('PATCH', path, { body }), {
    refresh: [path],
    quiet: true,
    successMessage: 'Saved.',
  });
  return (
    <form
      onSubmit={form.onSubmit(({ keep_forever, retention_days }) =>
        save.mutate(keep_forever ? { keep_forever } : { retention_days }, {
          onSuccess: () => form.resetDirty(),
        }),
      )}
    >
      <Stack gap="sm">
        <Switch
          label="Keep events forever"
          disabled={isReader}
          {...form.getInputProps('keep_forever', { type: 'checkbox' })}
        />
        <NumberInput
          label="Days"
          min={1}
          max={3650}
          allowDecimal={false}
          disabled={isReader || form.values.keep_forever}
          {...form.getInputProps('retention_days')}
        />
        {save.error && <ErrorAlert error={save.error} />}
        {!isReader && (
          <Group justify="flex-end">
            <Button type="submit" variant="default" disabled={!form.isDirty()} loading={save.isPending}>
              Save
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}
