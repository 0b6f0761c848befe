import { Alert, Button, Card, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { type ApiFault, callApi } from '../../data/api.ts';
import { useAct } from '../../data/hooks.ts';
import { useSession } from '../../data/session.ts';
import { toFields } from '../../parts/form-fault.ts';
import { FormModal } from '../../parts/form-modal.tsx';
import { Section } from '../../parts/page.tsx';

/** Name and address. */
export function PersonForm() {
  const { user } = useSession();
  const [isMoving, { open, close }] = useDisclosure(false);
  const form = useForm({ initialValues: { name: user.name ?? '' } });
  const save = useAct((name: string) => callApi('PATCH', '/account', { body: { name } }), {
    refresh: ['/session', '/members'],
    done: 'Saved.',
  });
  const resend = useAct(() => callApi('POST', '/account/email/resend'), {
    done: 'Another link is on its way.',
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
      <ChangeEmail opened={isMoving} onClose={close} />
    </Card>
  );
}

function ChangeEmail(props: { readonly opened: boolean; readonly onClose: () => void }) {
  const [fault, setFault] = useState<ApiFault | null>(null);
  const form = useForm({ initialValues: { email: '', current_password: '' } });
  const change = useAct(
    (body: { email: string; current_password: string }) => callApi('POST', '/account/email', { body }),
    { quiet: true, done: 'A link is on its way to the new address. It counts once you opened it.' },
  );
  return (
    <FormModal
      opened={props.opened}
      onClose={props.onClose}
      title="Change your e-mail address"
      submit="Send the link"
      pending={change.isPending}
      fault={fault}
      onSubmit={form.onSubmit((values) => {
        setFault(null);
        change.mutate(values, {
          onSuccess: props.onClose,
          onError: (error) => setFault(toFields(error, form)),
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
