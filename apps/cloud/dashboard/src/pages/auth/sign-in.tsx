import type { SignInOptions, SignInRequest } from '@csg/shared/contract';
import { Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { ErrorAlert } from '../../components/states.tsx';
import { useApiQuery } from '../../data/hooks.ts';
import { AuthFrame } from './auth-frame.tsx';
import { useSignIn } from './use-sign-in.ts';

/** The email address selects the organization, unless the service has one provider for all. */
function ssoQuery(sso: SignInOptions['sso'], email: string): string {
  return sso === 'default' || email === '' ? '' : `?email=${encodeURIComponent(email)}`;
}

/** Shown in place of the requested page, which appears after signing in. */
export function SignIn() {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const options = useApiQuery<SignInOptions>('/sign-in-options');
  const [needsCode, setNeedsCode] = useState(false);
  const form = useForm({
    initialValues: { email: '', password: '', code: '' },
    validate: {
      email: (email) => (email.trim() === '' ? 'Enter your email address.' : null),
      password: (password) => (password === '' ? 'Enter your password.' : null),
      code: (code) => (needsCode && code.trim().length < 6 ? 'Enter the six-digit code.' : null),
    },
  });
  const signIn = useSignIn<SignInRequest>('/session', () => {
    if (pathname === '/sign-in') navigate('/', { replace: true });
  });
  return (
    <AuthFrame
      title={needsCode ? 'Two-factor authentication' : 'Sign in'}
      about={needsCode ? 'Enter the code from your authenticator app, or a recovery code.' : undefined}
      below={<NoAccountYet options={options.data} />}
    >
      <form
        noValidate
        onSubmit={form.onSubmit(({ email, password, code }) => {
          signIn.submit(
            { email: email.trim(), password, ...(needsCode ? { code: code.trim() } : {}) },
            (error) => {
              if (error.code !== 'second_factor_required') return error;
              setNeedsCode(true);
              return null;
            },
          );
        })}
      >
        <Stack>
          {needsCode ? (
            <TextInput
              label="Authentication code"
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
                label="Email"
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
          {signIn.error && <ErrorAlert error={signIn.error} />}
          <Button type="submit" loading={signIn.isPending} fullWidth>
            Sign in
          </Button>
          {options.data !== undefined && options.data.sso !== 'none' && !needsCode && (
            <Button
              variant="default"
              fullWidth
              onClick={() => {
                const email = form.values.email.trim();
                if (options.data.sso === 'by_email' && email === '') {
                  form.setFieldError(
                    'email',
                    'Enter your email address, so that your organization is found.',
                  );
                } else location.assign(`/dashboard/sso/start${ssoQuery(options.data.sso, email)}`);
              }}
            >
              Single sign-on
            </Button>
          )}
          <Anchor component={Link} to="/forgot-password" size="sm" ta="center">
            Forgot your password?
          </Anchor>
        </Stack>
      </form>
    </AuthFrame>
  );
}

/** Explains how to get an account. */
function NoAccountYet({ options }: { readonly options: SignInOptions | undefined }) {
  if (options?.is_set_up === false) {
    return 'This service is not set up yet. Open the one-time link that it printed when it started.';
  }
  if (options?.sign_up !== 'open') {
    return 'Accounts are created by invitation. Ask an admin of your organization.';
  }
  return (
    <>
      No account yet?{' '}
      <Anchor component={Link} to="/sign-up" size="sm" underline="always">
        Sign up
      </Anchor>
    </>
  );
}
