import type { InvitationRecord, InviteRequest } from '@csg/shared/contract';
import { Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { type ApiFault, callApi } from '../../data/api.ts';
import { useAct } from '../../data/hooks.ts';
import { toFields } from '../../parts/form-fault.ts';
import { FormModal } from '../../parts/form-modal.tsx';
import { ROLE_WORDS } from './role-words.ts';

export function Invite(props: { readonly opened: boolean; readonly onClose: () => void }) {
  const [fault, setFault] = useState<ApiFault | null>(null);
  const form = useForm({
    initialValues: { email: '', role: 'member' as InviteRequest['role'] },
    validate: {
      email: (email) =>
        /^\S+@\S+$/.test(email.trim()) ? null : 'An e-mail address, such as ada@example.com.',
    },
  });
  const invite = useAct(
    (body: InviteRequest) => callApi<InvitationRecord>('POST', '/invitations', { body }),
    { refresh: ['/invitations', '/mails'], quiet: true, done: 'The invitation is on its way.' },
  );
  return (
    <FormModal
      opened={props.opened}
      onClose={props.onClose}
      title="Invite somebody"
      submit="Send the invitation"
      pending={invite.isPending}
      fault={fault}
      onSubmit={form.onSubmit(({ email, role }) => {
        setFault(null);
        invite.mutate(
          { email: email.trim(), role },
          {
            onSuccess: () => {
              form.reset();
              props.onClose();
            },
            onError: (error) => setFault(toFields(error, form)),
          },
        );
      })}
    >
      <TextInput
        label="E-mail"
        type="email"
        description="A link to join is mailed there; it works for some days."
        data-autofocus
        {...form.getInputProps('email')}
      />
      <Radio.Group label="Role" {...form.getInputProps('role')}>
        <Stack gap="xs" mt="xs">
          {(['admin', 'member', 'viewer'] as const).map((role) => (
            <Radio
              key={role}
              value={role}
              label={ROLE_WORDS[role].name}
              description={`May ${ROLE_WORDS[role].about}.`}
            />
          ))}
        </Stack>
      </Radio.Group>
    </FormModal>
  );
}
