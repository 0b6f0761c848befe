import { Button, Card, Group, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { toFields } from '../../components/form-errors.ts';
import { Section } from '../../components/page.tsx';
import { ErrorAlert } from '../../components/states.tsx';
import { type ApiError, callApi } from '../../data/api.ts';
import { useApiMutation } from '../../data/hooks.ts';

export function PasswordForm() {
  const [error, setError] = useState<ApiError | null>(null);
  const form = useForm({
    initialValues: { current_password: '', new_password: '' },
    validate: {
      current_password: (text) => (text === '' ? 'Enter your current password.' : null),
      new_password: (text) => ([...text].length < 12 ? 'At least 12 characters.' : null),
    },
  });
  const change = useApiMutation(
    (body: { current_password: string; new_password: string }) =>
      callApi('POST', '/account/password', { body }),
    {
      refresh: ['/account', '/session'],
      quiet: true,
      successMessage: 'Password changed. Your other sessions were ended.',
    },
  );
  return (
    <Card>
      <Section title="Password" about="Changing the password ends your sessions in other browsers.">
        <form
          noValidate
          onSubmit={form.onSubmit((values) => {
            setError(null);
            change.mutate(values, {
              onSuccess: () => form.reset(),
              onError: (error) => setError(toFields(error, form)),
            });
          })}
        >
          <Stack gap="sm">
            <PasswordInput
              label="Current password"
              autoComplete="current-password"
              {...form.getInputProps('current_password')}
            />
            <PasswordInput
              label="New password"
              description="A few unrelated words make a strong password."
              autoComplete="new-password"
              {...form.getInputProps('new_password')}
            />
            {error && <ErrorAlert error={error} />}
            <Group justify="flex-end">
              <Button type="submit" loading={change.isPending}>
                Change password
              </Button>
            </Group>
          </Stack>
        </form>
      </Section>
    </Card>
  );
}
