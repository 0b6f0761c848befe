import type { SignInOptions, SignInRequest } from '@csg/shared/contract';
import { Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { useRead } from '../../data/hooks.ts';
import { FaultNote } from '../../parts/states.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { useEntry } from './use-entry.ts';

/** Shown in the place of whatever page was asked for: afterwards they are there. */
export function SignIn() {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const options = useRead<SignInOptions>('/sign-in-options');
  const [asksCode, setAsksCode] = useState(false);
  const form = useForm({
    initialValues: { email: '', password: '', code: '' },
    validate: {
      email: (email) => (email.trim() === '' ? 'Your e-mail address.' : null),
      password: (password) => (password === '' ? 'Your password.' : null),
      code: (code) => (asksCode && code.trim().length < 6 ? 'The six digits of your app.' : null),
    },
  });
  const entry = useEntry<SignInRequest>('/session', () => {
    if (pathname === '/sign-in') navigate('/', { replace: true });
  });
  return (
    <EntryFrame
      title={asksCode ? 'Your second factor' : 'Sign in'}
      about={asksCode ? 'The code of your authenticator app, or one of your recovery codes.' : undefined}
      below={
        options.data?.sign_up === 'open' ? (
          <>
            No account yet?{' '}
            <Anchor component={Link} to="/sign-up" size="sm" underline="always">
              Sign up
            </Anchor>
          </>
        ) : (
          'Accounts are made by invitation: ask an admin of your organization.'
        )
      }
    >
      <form
        noValidate
        onSubmit={form.onSubmit(({ email, password, code }) => {
          entry.enter(
            { email: email.trim(), password, ...(asksCode ? { code: code.trim() } : {}) },
            (fault) => {
              if (fault.code !== 'second_factor_required') return fault;
              setAsksCode(true);
              return null;
            },
          );
        })}
      >
        <Stack>
          {asksCode ? (
            <TextInput
              label="Code"
              autoComplete="one-time-code"
              inputMode="numeric"
              maxLength={32}
              autoFocus
              key="code"
              {...form.getInputProps('code')}
            />
          ) : (
            <>
              <TextInput
                label="E-mail"
                type="email"
                autoComplete="username"
                autoFocus
                maxLength={254}
                {...form.getInputProps('email')}
              />
              <PasswordInput
                label="Password"
                autoComplete="current-password"
                maxLength={1024}
                {...form.getInputProps('password')}
              />
            </>
          )}
          {entry.fault && <FaultNote fault={entry.fault} />}
          <Button type="submit" loading={entry.isPending} fullWidth>
            Sign in
          </Button>
          <Anchor component={Link} to="/forgot-password" size="sm" ta="center">
            Forgot your password?
          </Anchor>
        </Stack>
      </form>
    </EntryFrame>
  );
}
