import type { AcceptInvitationRequest, InvitationPreview } from '@csg/shared/contract';
import { Anchor, Button, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { toFields } from '../../components/form-errors.ts';
import { ErrorAlert } from '../../components/states.tsx';
import { type ApiError, callApi } from '../../data/api.ts';
import { timeText } from '../../data/format.ts';
import { linkToken } from '../../data/link-token.ts';
import { useReadSession } from '../../data/session.ts';
import { AuthFrame } from './auth-frame.tsx';
import { NewPassword, passwordProblem } from './new-password.tsx';
import { useSignIn } from './use-sign-in.ts';

export function AcceptInvitation() {
  const { hash, search } = useLocation();
  const [token] = useState(() => linkToken(hash, search));
  const preview = useQuery<InvitationPreview, ApiError>({
    queryKey: ['/invitation', token],
    queryFn: () => callApi('POST', '/invitation', { body: { token } }),
    retry: false,
  });
  if (preview.error) {
    return (
      <AuthFrame title="Invitation">
        <ErrorAlert error={preview.error} />
        <Text size="sm">Ask an admin of the organization to resend the invitation.</Text>
      </AuthFrame>
    );
  }
  if (preview.data === undefined) {
    return (
      <AuthFrame title="Invitation">
        <Skeleton height={180} />
      </AuthFrame>
    );
  }
  return <Invited token={token} invitation={preview.data} />;
}

function Invited(props: { readonly token: string; readonly invitation: InvitationPreview }) {
  const { token, invitation } = props;
  const navigate = useNavigate();
  const session = useReadSession();
  const signIn = useSignIn<AcceptInvitationRequest>('/invitation/accept', () =>
    navigate('/', { replace: true }),
  );
  const form = useForm({
    initialValues: { password: '', name: '' },
    validate: { password: (text) => (invitation.has_account ? null : passwordProblem(text)) },
  });
  const isSignedInAsInvitee = session.data?.user.email.toLowerCase() === invitation.email.toLowerCase();
  const about = (
    <>
      Role: {invitation.role}. Email: {invitation.email}. Organization owner: {invitation.owner_email}.
      Expires {timeText(invitation.expires_at)}.
    </>
  );
  if (invitation.has_account && !isSignedInAsInvitee) {
    return (
      <AuthFrame title={`Join ${invitation.organization_name}`} about={about}>
        <Text size="sm">An account with this email address exists. Sign in to see the invitation.</Text>
        <Button component={Link} to="/sign-in" fullWidth>
          Sign in
        </Button>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame
      title={`Join ${invitation.organization_name}`}
      about={about}
      below={
        <Anchor component={Link} to="/sign-in" size="sm">
          Sign in with another account
        </Anchor>
      }
    >
      <form
        noValidate
        onSubmit={form.onSubmit(({ password, name }) =>
          signIn.submit(
            invitation.has_account
              ? { token }
              : { token, password, ...(name.trim() === '' ? {} : { name: name.trim() }) },
            (error) => toFields(error, form),
          ),
        )}
      >
        <Stack>
          {!invitation.has_account && (
            <>
              <TextInput
                label="Your name"
                autoComplete="name"
                maxLength={100}
                autoFocus
                {...form.getInputProps('name')}
              />
              <NewPassword inputProps={form.getInputProps('password')} />
            </>
          )}
          {signIn.error && <ErrorAlert error={signIn.error} />}
          <Button type="submit" loading={signIn.isPending} fullWidth>
            Join organization
          </Button>
        </Stack>
      </form>
    </AuthFrame>
  );
}
