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
    validate: { email: (email) => (/^\S+@\S+$/.test(email.trim()) ? null : 'Your e-mail address.') },
  });
  const request = useApiMutation(
    (email: string) => callApi('POST', '/password/forgot', { body: { email } }),
    {
      quiet: true,
    },
  );
  return (
    <AuthFrame
      title="Forgot your password"
      about="A link to choose a new one is mailed to you."
      below={
        <Anchor component={Link} to="/sign-in" size="sm">
          Back to signing in
        </Anchor>
      }
    >
      {request.isSuccess ? (
        <Alert color="teal" title="Look into your mail" role="status">
          If there is an account with this address, a link is on its way; it works for an hour. Nothing came?
          Where no mail server is set, an admin finds it in the outbox of the dashboard.
        </Alert>
      ) : (
        <form noValidate onSubmit={form.onSubmit(({ email }) => request.mutate(email.trim()))}>
          <Stack>
            <TextInput
              label="E-mail"
              type="email"
              autoComplete="username"
              autoFocus
              {...form.getInputProps('email')}
            />
            {request.error && <ErrorAlert error={request.error} />}
            <Button type="submit" loading={request.isPending} fullWidth>
              Mail me a link
            </Button>
          </Stack>
        </form>
      )}
    </AuthFrame>
  );
}
