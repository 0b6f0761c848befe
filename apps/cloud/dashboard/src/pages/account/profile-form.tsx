import { Alert, Button, Card, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { toFields } from '../../components/form-errors.ts';
import { FormModal } from '../../components/form-modal.tsx';
import { Section } from '../../components/page.tsx';
import { type ApiError, callApi } from '../../data/api.ts';
import { useApiMutation } from '../../data/hooks.ts';
import { useSession } from '../../data/session.ts';

/** Name and email address. */
export function ProfileForm() {
  const { user } = useSession();
  const [isChangingEmail, { open, close }] = useDisclosure(false);
  const form = useForm({ initialValues: { name: user.name ?? '' } });
  const save = useApiMutation((name: string) => callApi('PATCH', '/account', { body: { name } }), {
    refresh: ['/session', '/members'],
    successMessage: 'Saved.',
  });
  const resend = useApiMutation(() => callApi('POST', '/account/email/resend'), {
    successMessage: 'Verification link sent.',
  });
  return (
    <Card>
      <Section title="Profile">
        <form
          onSubmit={form.onSubmit(({ name }) =>
            save.mutate(name.trim(), { onSuccess: () => form.resetDirty() }),
          )}
        >
          <Stack gap="sm">
            <TextInput label="Name" maxLength={100} autoComplete="name" {...form.getInputProps('name')} />
            <Group justify="space-between">
              <div>
                <Text size="sm" fw={500}>
                  Email
                </Text>
                <Text size="sm">{user.email}</Text>
              </div>
              <Button variant="default" size="xs" onClick={open}>
                Change email
              </Button>
            </Group>
            {!user.email_verified && (
              <Alert color="yellow" title="Email address not verified">
                <Text size="sm">Open the link in the email we sent you. You can then create API keys.</Text>
                <Button
                  size="xs"
                  mt="xs"
                  variant="default"
                  loading={resend.isPending}
                  onClick={() => resend.mutate(undefined)}
                >
                  Resend link
                </Button>
              </Alert>
            )}
            <Group justify="flex-end">
              <Button type="submit" disabled={!form.isDirty()} loading={save.isPending}>
                Save
              </Button>
            </Group>
          </Stack>
        </form>
      </Section>
      <ChangeEmail opened={isChangingEmail} onClose={close} />
    </Card>
  );
}

function ChangeEmail(props: { readonly opened: boolean; readonly onClose: () => void }) {
  const [error, setError] = useState<ApiError | null>(null);
  const form = useForm({ initialValues: { email: '', current_password: '' } });
  const change = useApiMutation(
    (body: { email: string; current_password: string }) => callApi('POST', '/account/email', { body }),
    { quiet: true, successMessage: 'A link was sent to the new address. Open it to complete the change.' },
  );
  return (
    <FormModal
      opened={props.opened}
      onClose={props.onClose}
      title="Change email address"
      submit="Send link"
      pending={change.isPending}
      error={error}
      onSubmit={form.onSubmit((values) => {
        setError(null);
        change.mutate(values, {
          onSuccess: props.onClose,
          onError: (error) => setError(toFields(error, form)),
        });
      })}
    >
      <TextInput label="New email address" type="email" data-autofocus {...form.getInputProps('email')} />
      <PasswordInput
        label="Your password"
        autoComplete="current-password"
        {...form.getInputProps('current_password')}
      />
    </FormModal>
  );
}
