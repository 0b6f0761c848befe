import type { MemberRecord, TransferRequest } from '@csg/shared/contract';
import { Button, Card, PasswordInput, Select, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { toFields } from '../../components/form-errors.ts';
import { FormModal } from '../../components/form-modal.tsx';
import { Section } from '../../components/page.tsx';
import { type ApiError, callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { useSession } from '../../data/session.ts';

/** Only for the owner, who becomes an admin when the new owner accepts. */
export function TransferOrganization() {
  const session = useSession();
  const [isOpen, { open, close }] = useDisclosure(false);
  const [error, setError] = useState<ApiError | null>(null);
  const members = useApiQuery<MemberRecord[]>('/members');
  const others = (members.data ?? []).filter(({ user_id }) => user_id !== session.user.id);
  const form = useForm({
    initialValues: { user_id: '', current_password: '' },
    validate: { user_id: (id) => (id === '' ? 'Select the new owner.' : null) },
  });
  const transfer = useApiMutation(
    (body: TransferRequest) => callApi('POST', '/organization/transfer', { body }),
    {
      refresh: ['/invitations'],
      quiet: true,
      successMessage: 'Offer sent. Ownership changes when it is accepted.',
    },
  );
  return (
    <Card>
      <Section
        title="Ownership"
        about="The plan and limits of the owner apply to the organization. The owner cannot be removed."
      >
        <Button variant="default" size="xs" onClick={open} disabled={others.length === 0} w="fit-content">
          Transfer
        </Button>
      </Section>
      <FormModal
        opened={isOpen}
        onClose={close}
        title="Transfer organization"
        submit="Send offer"
        color="red.9"
        pending={transfer.isPending}
        error={error}
        onSubmit={form.onSubmit((values) => {
          setError(null);
          transfer.mutate(values, { onSuccess: close, onError: (error) => setError(toFields(error, form)) });
        })}
      >
        <Text size="sm">
          The new owner receives an email. When they accept, they become the owner and you become an admin.
        </Text>
        <Select
          label="New owner"
          data={others.map(({ user_id, name, email }) => ({
            value: user_id,
            label: name === null ? email : `${name} (${email})`,
          }))}
          {...form.getInputProps('user_id')}
        />
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          {...form.getInputProps('current_password')}
        />
      </FormModal>
    </Card>
  );
}
