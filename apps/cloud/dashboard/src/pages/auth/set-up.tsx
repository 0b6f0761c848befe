import type { SetUpRequest } from '@csg/shared/contract';
import { Button, Code, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { toFields } from '../../components/form-errors.ts';
import { Empty, ErrorAlert } from '../../components/states.tsx';
import { linkToken } from '../../data/link-token.ts';
import { AuthFrame } from './auth-frame.tsx';
import { NewPassword, passwordProblem } from './new-password.tsx';
import { useSignIn } from './use-sign-in.ts';

/** The page of the one-time link that the first start prints; creates the owner. */
export function SetUp() {
  const { hash, search } = useLocation();
  const navigate = useNavigate();
  const [token] = useState(() => linkToken(hash, search));
  const form = useForm({
    initialValues: { email: '', password: '', name: '', organization_name: '' },
    validate: {
      email: (email) =>
        /^\S+@\S+$/.test(email.trim()) ? null : 'Enter an email address, such as ada@example.com.',
      password: passwordProblem,
    },
  });
  const signIn = useSignIn<SetUpRequest>('/set-up', () => navigate('/', { replace: true }));
  if (token === '') {
    return (
      <AuthFrame title="Set up the gateway">
        <Empty title="Incomplete link">
          Use the complete link that is printed at startup. <Code>npm start</Code> prints a link until one has
          been used.
        </Empty>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame
      title="Set up the gateway"
      about="You become the owner of this gateway. The link works only once."
    >
      <form
        noValidate
        onSubmit={form.onSubmit(({ email, password, name, organization_name }) =>
          signIn.submit(
            {
              token,
              email: email.trim(),
              password,
              ...(name.trim() === '' ? {} : { name: name.trim() }),
              ...(organization_name.trim() === '' ? {} : { organization_name: organization_name.trim() }),
            },
            (error) => toFields(error, form),
          ),
        )}
      >
        <Stack>
          <TextInput
            label="Email"
            type="email"
            autoComplete="username"
            autoFocus
            {...form.getInputProps('email')}
          />
          <NewPassword inputProps={form.getInputProps('password')} />
          <TextInput label="Your name" autoComplete="name" maxLength={100} {...form.getInputProps('name')} />
          <TextInput
            label="Organization"
            placeholder="My organization"
            autoComplete="organization"
            maxLength={80}
            {...form.getInputProps('organization_name')}
          />
          {signIn.error && <ErrorAlert error={signIn.error} />}
          <Button type="submit" loading={signIn.isPending} fullWidth>
            Create account
          </Button>
        </Stack>
      </form>
    </AuthFrame>
  );
}
