import type { SignUpRequest } from '@csg/shared/contract';
import { Alert, Anchor, Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Link } from 'react-router';
import { toFields } from '../../components/form-errors.ts';
import { ErrorAlert } from '../../components/states.tsx';
import { type ApiError, callApi } from '../../data/api.ts';
import { useApiMutation } from '../../data/hooks.ts';
import { AuthFrame } from './auth-frame.tsx';
import { NewPassword, passwordProblem } from './new-password.tsx';

export function SignUp() {
  const [error, setError] = useState<ApiError | null>(null);
  const form = useForm({
    initialValues: { email: '', password: '', name: '' },
    validate: {
      email: (email) =>
        /^\S+@\S+$/.test(email.trim()) ? null : 'Enter an email address, such as ada@example.com.',
      password: passwordProblem,
    },
  });
  const signUp = useApiMutation((body: SignUpRequest) => callApi('POST', '/sign-up', { body }), {
    quiet: true,
  });
  return (
    <AuthFrame
      title="Sign up"
      about="Free plan with 10,000 requests per month. Verify your email address to create API keys."
      below={
        <>
          Already have an account?{' '}
          <Anchor component={Link} to="/sign-in" size="sm" underline="always">
            Sign in
          </Anchor>
        </>
      }
    >
      {signUp.isSuccess ? (
        <Alert color="teal" title="Check your email" role="status">
          We sent a link to verify your address. You can already sign in.
        </Alert>
      ) : (
        <form
          noValidate
          onSubmit={form.onSubmit(({ email, password, name }) => {
            setError(null);
            signUp.mutate(
              { email: email.trim(), password, ...(name.trim() === '' ? {} : { name: name.trim() }) },
              { onError: (error) => setError(toFields(error, form)) },
            );
          })}
        >
          <Stack>
            <TextInput label="Email" type="email" autoComplete="username" {...form.getInputProps('email')} />
            <NewPassword inputProps={form.getInputProps('password')} />
            <TextInput
              label="Your name"
              autoComplete="name"
              maxLength={100}
              {...form.getInputProps('name')}
            />
            {error && <ErrorAlert error={error} />}
            <Button type="submit" loading={signUp.isPending} fullWidth>
              Sign up
            </Button>
          </Stack>
        </form>
      )}
    </AuthFrame>
  );
}
