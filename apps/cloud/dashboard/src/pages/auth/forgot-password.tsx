import { Alert, Anchor, Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link } from 'react-router';
import { ErrorAlert } from '../../components/states.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation } from '../../data/hooks.ts';
import { AuthFrame } from './auth-frame.tsx';

export function ForgotPassword() {
  const form = useForm({
    initialValues: { email: '' },
    validate: { email: (email) => (/^\S+@\S+$/.test(email.trim()) ? null : 'Enter your email address.') },
  });
  const request = useApiMutation(
    (email: string) => callApi('POST', '/password/forgot', { body: { email } }),
    {
      quiet: true,
    },
  );
  return (
    <AuthFrame
      title="Reset your password"
      about="You will receive an email with a link to choose a new password."
      below={
        <Anchor component={Link} to="/sign-in" size="sm">
          Back to sign in
        </Anchor>
      }
    >
      {request.isSuccess ? (
        <Alert color="teal" title="Check your email" role="status">
          If an account with this address exists, we sent a link to it. The link expires in one hour. If no
          SMTP server is configured, an admin can find the email in the outbox of the dashboard.
        </Alert>
      ) : (
        <form noValidate onSubmit={form.onSubmit(({ email }) => request.mutate(email.trim()))}>
          <Stack>
            <TextInput
              label="Email"
              type="email"
              autoComplete="username"
              autoFocus
              {...form.getInputProps('email')}
            />
            {request.error && <ErrorAlert error={request.error} />}
            <Button type="submit" loading={request.isPending} fullWidth>
              Send reset link
            </Button>
          </Stack>
        </form>
      )}
    </AuthFrame>
  );
}
