import { Button, Card, PasswordInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { type ApiFault, callApi } from '../../data/api.ts';
import { useAct } from '../../data/hooks.ts';
import { toFields } from '../../parts/form-fault.ts';
import { FormModal } from '../../parts/form-modal.tsx';
import { Section } from '../../parts/page.tsx';

/** Afterwards nobody is signed in here: the whole page begins anew. */
export function DeleteAccount() {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [fault, setFault] = useState<ApiFault | null>(null);
  const form = useForm({
    initialValues: { current_password: '' },
    validate: { current_password: (text) => (text === '' ? 'Your password.' : null) },
  });
  const remove = useAct((body: { current_password: string }) => callApi('DELETE', '/account', { body }), {
    quiet: true,
  });
  return (
    <Card>
      <Section
        title="Delete the account"
        about="An organization that is yours alone is deleted too. Transfer one that has other members first."
      >
        <Button variant="default" size="xs" onClick={open} w="fit-content">
          Delete my account
        </Button>
      </Section>
      <FormModal
        opened={isOpen}
        onClose={close}
        title="Delete my account"
        submit="Delete it"
        color="red"
        pending={remove.isPending}
        fault={fault}
        onSubmit={form.onSubmit((values) => {
          setFault(null);
          remove.mutate(values, {
            onSuccess: () => window.location.assign('/dashboard/'),
            onError: (error) => setFault(toFields(error, form)),
          });
        })}
      >
        <Text size="sm">
          You leave every organization: the keys you made there and the devices bound to you stop working at
          once. Then your name, your address and your sessions are deleted. This cannot be undone.
        </Text>
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          {...form.getInputProps('current_password')}
        />
      </FormModal>
    </Card>
  );
}
