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

/** Only the owner sees it; afterwards they are an admin. */
export function TransferOrganization() {
  const session = useSession();
  const [isOpen, { open, close }] = useDisclosure(false);
  const [error, setError] = useState<ApiError | null>(null);
  const members = useApiQuery<MemberRecord[]>('/members');
  const others = (members.data ?? []).filter(({ user_id }) => user_id !== session.user.id);
  const form = useForm({
    initialValues: { user_id: '', current_password: '' },
    validate: { user_id: (id) => (id === '' ? 'Choose who gets it.' : null) },
  });
  const transfer = useApiMutation(
    (body: TransferRequest) => callApi('POST', '/organization/transfer', { body }),
    {
      refresh: ['/invitations'],
      quiet: true,
      successMessage: 'They were mailed. It is theirs once they accept.',
    },
  );
  return (
    <Card>
      <Section
        title="Ownership"
        about="The owner's plan and limits count for the organization, and the owner cannot be removed."
      >
        <Button variant="default" size="xs" onClick={open} disabled={others.length === 0} w="fit-content">
          Hand it over
        </Button>
      </Section>
      <FormModal
        opened={isOpen}
        onClose={close}
        title="Hand the organization over"
        submit="Offer it"
        color="red.9"
        pending={transfer.isPending}
        error={error}
        onSubmit={form.onSubmit((values) => {
          setError(null);
          transfer.mutate(values, { onSuccess: close, onError: (error) => setError(toFields(error, form)) });
        })}
      >
        <Text size="sm">
          They get a mail. When they accept, they become the owner and you stay as an admin.
        </Text>
        <Select
          label="To"
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
