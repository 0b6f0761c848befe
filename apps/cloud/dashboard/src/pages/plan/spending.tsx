import type { ChangeSpending, UsageOverview } from '@csg/shared/contract';
import { Button, Card, Group, NumberInput, Stack, Switch } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { toFields } from '../../components/form-errors.ts';
import { Section } from '../../components/page.tsx';
import { ErrorAlert } from '../../components/states.tsx';
import { type ApiError, callApi } from '../../data/api.ts';
import { useApiMutation } from '../../data/hooks.ts';

/** Spending over the quota, set by the owner. */
export function Spending(props: { readonly usage: UsageOverview; readonly isReader: boolean }) {
  const { usage, isReader } = props;
  const [error, setError] = useState<ApiError | null>(null);
  const form = useForm({
    initialValues: { on_demand: usage.on_demand, spend_cap_usd: usage.spend_cap_usd ?? 500 },
  });
  const save = useApiMutation((body: ChangeSpending) => callApi('PATCH', '/usage/spending', { body }), {
    refresh: ['/usage'],
    quiet: true,
    successMessage: 'Saved.',
  });
  return (
    <Card h="100%">
      <Section
        title="Overage"
        about={`$${usage.overage_usd_per_1000.toFixed(2)} per 1,000 requests, up to the cap. Requests over the cap are rejected.`}
      >
        <form
          onSubmit={form.onSubmit((values) => {
            setError(null);
            save.mutate(values, {
              onSuccess: () => form.resetDirty(),
              onError: (error) => setError(toFields(error, form)),
            });
          })}
        >
          <Stack gap="sm">
            <Switch
              label="Allow requests over quota"
              disabled={isReader}
              {...form.getInputProps('on_demand', { type: 'checkbox' })}
            />
            <NumberInput
              label="Monthly spending cap"
              description="With 0, requests over quota are rejected."
              prefix="$"
              min={0}
              max={1_000_000}
              thousandSeparator=","
              disabled={isReader || !form.values.on_demand}
              {...form.getInputProps('spend_cap_usd')}
            />
            {error && <ErrorAlert error={error} />}
            {!isReader && (
              <Group justify="flex-end">
                <Button type="submit" disabled={!form.isDirty()} loading={save.isPending}>
                  Save
                </Button>
              </Group>
            )}
          </Stack>
        </form>
      </Section>
    </Card>
  );
}
