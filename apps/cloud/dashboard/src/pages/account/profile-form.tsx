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

/** Name and address. */
export function ProfileForm() {
  const { user } = useSession();
  const [isChangingEmail, { open, close }] = useDisclosure(false);
  const form = useForm({ initialValues: { name: user.name ?? '' } });
  const save = useApiMutation((name: string) => callApi('PATCH', '/account', { body: { name } }), {
    refresh: ['/session', '/members'],
    successMessage: 'Saved.',
  });
  const resend = useApiMutation(() => callApi('POST', '/account/email/resend'), {
    successMessage: 'Another link is on its way.',
  });
  return (
    <Card>
      <Section title="You">
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
                  E-mail
                </Text>
                <Text size="sm">{user.email}</Text>
              </div>
              <Button variant="default" size="xs" onClick={open}>
                Change it
              </Button>
            </Group>
            {!user.email_verified && (
              <Alert color="yellow" title="Not confirmed yet">
                <Text size="sm">Open the link in the mail we sent; keys can be created then.</Text>
                <Button
                  size="xs"
                  mt="xs"
                  variant="default"
                  loading={resend.isPending}
                  onClick={() => resend.mutate(undefined)}
                >
                  Send it again
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
    { quiet: true, successMessage: 'A link is on its way to the new address. It counts once you opened it.' },
  );
  return (
    <FormModal
      opened={props.opened}
      onClose={props.onClose}
      title="Change your e-mail address"
      submit="Send the link"
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
      <TextInput label="New address" type="email" data-autofocus {...form.getInputProps('email')} />
      <PasswordInput
        label="Your password"
        autoComplete="current-password"
        {...form.getInputProps('current_password')}
      />
    </FormModal>
  );
}
