import type { ResetPasswordRequest } from '@csg/shared/contract';
import { Alert, Anchor, Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { type ApiFault, callApi } from '../../data/api.ts';
import { useAct } from '../../data/hooks.ts';
import { linkToken } from '../../data/link-token.ts';
import { toFields } from '../../parts/form-fault.ts';
import { FaultNote } from '../../parts/states.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { NewPassword, passwordFault } from './new-password.tsx';

export function ResetPassword() {
  const { hash, search } = useLocation();
  const [token] = useState(() => linkToken(hash, search));
  const [fault, setFault] = useState<ApiFault | null>(null);
  const form = useForm({ initialValues: { password: '' }, validate: { password: passwordFault } });
  const reset = useAct((body: ResetPasswordRequest) => callApi('POST', '/password/reset', { body }), {
    quiet: true,
  });
  return (
    <EntryFrame
      title="Choose a new password"
      below={
        <Anchor component={Link} to="/forgot-password" size="sm">
          Ask for another link
        </Anchor>
      }
    >
      {reset.isSuccess ? (
        <>
          <Alert color="teal" title="The password is changed" role="status">
            All sessions that were open are ended. Sign in with the new one.
          </Alert>
          <Button component={Link} to="/sign-in" fullWidth>
            Sign in
          </Button>
        </>
      ) : (
        <form
          noValidate
          onSubmit={form.onSubmit(({ password }) => {
            setFault(null);
            reset.mutate({ token, password }, { onError: (error) => setFault(toFields(error, form)) });
          })}
        >
          <Stack>
            <NewPassword label="New password" inputProps={form.getInputProps('password')} />
            {fault && <FaultNote fault={fault} />}
            <Button type="submit" loading={reset.isPending} disabled={token === ''} fullWidth>
              Change the password
            </Button>
          </Stack>
        </form>
      )}
    </EntryFrame>
  );
}
