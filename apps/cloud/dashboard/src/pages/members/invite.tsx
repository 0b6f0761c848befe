import type { InvitationRecord, InviteRequest, SignInOptions } from '@csg/shared/contract';
import { Radio, Stack, Textarea } from '@mantine/core';
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
      email: (text) => {
        const wrong = addressesIn(text).find((email) => !/^\S+@\S+$/.test(email));
        if (wrong !== undefined) return `${wrong} is not an email address.`;
        return addressesIn(text).length > 0 ? null : 'Enter an email address, such as ada@example.com.';
      },
    },
  });
  const invite = useApiMutation(
    async ({ emails, role }: { emails: string[]; role: InviteRequest['role'] }) => {
      for (const [at, email] of emails.entries()) {
        await callApi<InvitationRecord>('POST', '/invitations', { body: { email, role } });
        // What is left if the next one is refused.
        form.setFieldValue('email', emails.slice(at + 1).join('\n'));
      }
    },
    {
      refresh: ['/invitations', '/mails'],
      quiet: true,
      successMessage: (_, { emails }) =>
        emails.length === 1 ? 'Invitation created.' : `${emails.length} invitations created.`,
    },
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
          { emails: addressesIn(email), role },
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
      <Textarea
        label="Email addresses"
        autosize
        maxRows={8}
        description={
          mail.data?.mail === 'outbox'
            ? 'One or several. The email with the link stays in the outbox, because this service has no mail server: open it there and pass the link on. It expires in 7 days.'
            : 'One or several, on lines or with commas between. Each member receives a link to join, which expires in 7 days.'
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

const addressesIn = (text: string): string[] => [
  ...new Set(text.split(/[\s,;]+/).filter((one) => one !== '')),
];
