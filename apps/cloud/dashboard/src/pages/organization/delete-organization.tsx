import { Button, Card, PasswordInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { type ApiFault, callApi } from '../../data/api.ts';
import { useAct } from '../../data/hooks.ts';
import { toFields } from '../../parts/form-fault.ts';
import { FormModal } from '../../parts/form-modal.tsx';
import { Section } from '../../parts/page.tsx';

/** Only the owner sees it. Afterwards the session has no organization: the whole page begins anew. */
export function DeleteOrganization(props: {
  readonly organization: { readonly id: string; readonly name: string };
}) {
  const { id, name } = props.organization;
  const [isOpen, { open, close }] = useDisclosure(false);
  const [fault, setFault] = useState<ApiFault | null>(null);
  const form = useForm({
    initialValues: { current_password: '' },
    validate: { current_password: (text) => (text === '' ? 'Enter your password.' : null) },
  });
  const remove = useAct(
    (body: { current_password: string }) => callApi('DELETE', `/organizations/${id}`, { body }),
    { quiet: true },
  );
  return (
    <Card>
      <Section title="Delete organization" about="All memberships end; the members keep their accounts.">
        <Button variant="default" size="xs" onClick={open} w="fit-content">
          Delete this organization
        </Button>
      </Section>
      <FormModal
        opened={isOpen}
        onClose={close}
        title={`Delete ${name}`}
        submit="Delete organization"
        color="red.9"
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
          All projects, keys, policies and events are deleted, and all devices are revoked. The audit log
          stays with the operator of this gateway. This cannot be undone.
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
