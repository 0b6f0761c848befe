import type { ResetPasswordRequest } from '@csg/shared/contract';
import { Alert, Anchor, Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { toFields } from '../../components/form-errors.ts';
import { ErrorAlert } from '../../components/states.tsx';
import { type ApiError, callApi } from '../../data/api.ts';
import { useApiMutation } from '../../data/hooks.ts';
import { linkToken } from '../../data/link-token.ts';
import { AuthFrame } from './auth-frame.tsx';
import { NewPassword, passwordProblem } from './new-password.tsx';

export function ResetPassword() {
  const { hash, search } = useLocation();
  const [token] = useState(() => linkToken(hash, search));
  const [error, setError] = useState<ApiError | null>(null);
  const form = useForm({ initialValues: { password: '' }, validate: { password: passwordProblem } });
  const reset = useApiMutation((body: ResetPasswordRequest) => callApi('POST', '/password/reset', { body }), {
    quiet: true,
  });
  return (
    <AuthFrame
      title="Choose a new password"
      below={
        <Anchor component={Link} to="/forgot-password" size="sm">
          Request another link
        </Anchor>
      }
    >
      {reset.isSuccess ? (
        <>
          <Alert color="teal" title="Password changed" role="status">
            All open sessions were ended. Sign in with your new password.
          </Alert>
          <Button component={Link} to="/sign-in" fullWidth>
            Sign in
          </Button>
        </>
      ) : (
        <form
          noValidate
          onSubmit={form.onSubmit(({ password }) => {
            setError(null);
            reset.mutate({ token, password }, { onError: (error) => setError(toFields(error, form)) });
          })}
        >
          <Stack>
            <NewPassword label="New password" inputProps={form.getInputProps('password')} />
            {error && <ErrorAlert error={error} />}
            <Button type="submit" loading={reset.isPending} disabled={token === ''} fullWidth>
              Change password
            </Button>
          </Stack>
        </form>
      )}
    </AuthFrame>
  );
}
