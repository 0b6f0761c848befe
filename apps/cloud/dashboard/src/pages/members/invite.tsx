import type { InvitationRecord, InviteRequest, SignInOptions } from '@csg/shared/contract';
import { Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { toFields } from '../../components/form-errors.ts';
import { FormModal } from '../../components/form-modal.tsx';
import { type ApiError, callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { ASSIGNABLE_ROLES, ROLE_LABELS } from './role-labels.ts';

export function Invite(props: { readonly opened: boolean; readonly onClose: () => void }) {
  const [error, setError] = useState<ApiError | null>(null);
  const mail = useApiQuery<SignInOptions>('/sign-in-options', { enabled: props.opened });
  const form = useForm({
    initialValues: { email: '', role: 'member' as InviteRequest['role'] },
    validate: {
      email: (email) =>
        /^\S+@\S+$/.test(email.trim()) ? null : 'Enter an email address, such as ada@example.com.',
    },
  });
  const invite = useApiMutation(
    (body: InviteRequest) => callApi<InvitationRecord>('POST', '/invitations', { body }),
    { refresh: ['/invitations', '/mails'], quiet: true, successMessage: 'Invitation created.' },
  );
  return (
    <FormModal
      opened={props.opened}
      onClose={props.onClose}
      title="Invite member"
      submit="Send invitation"
      pending={invite.isPending}
      error={error}
      onSubmit={form.onSubmit(({ email, role }) => {
        setError(null);
        invite.mutate(
          { email: email.trim(), role },
          {
            onSuccess: () => {
              form.reset();
              props.onClose();
            },
            onError: (error) => setError(toFields(error, form)),
          },
        );
      })}
    >
      <TextInput
        label="Email"
        type="email"
        description={
          mail.data?.mail === 'outbox'
            ? 'The email with the link stays in the outbox, because this service has no mail server: open it there and pass the link on. It expires in 7 days.'
            : 'The member receives a link to join, which expires in 7 days.'
        }
        data-autofocus
        {...form.getInputProps('email')}
      />
      <Radio.Group label="Role" {...form.getInputProps('role')}>
        <Stack gap="xs" mt="xs">
          {ASSIGNABLE_ROLES.map((role) => (
            <Radio
              key={role}
              value={role}
              label={ROLE_LABELS[role].name}
              description={ROLE_LABELS[role].about}
            />
          ))}
        </Stack>
      </Radio.Group>
    </FormModal>
  );
}
