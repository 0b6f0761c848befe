import { Alert, Button, Loader } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { ErrorAlert } from '../../components/states.tsx';
import { type ApiError, callApi } from '../../data/api.ts';
import { linkToken } from '../../data/link-token.ts';
import { AuthFrame } from './auth-frame.tsx';

/** Behind the link of the mail; whoever opens it is signed in, or is asked to be. */
export function VerifyEmail() {
  const { hash, search } = useLocation();
  const [token] = useState(() => linkToken(hash, search));
  const client = useQueryClient();
  const verified = useQuery<boolean, ApiError>({
    queryKey: ['/account/email/verify', token],
    retry: false,
    queryFn: async () => {
      await callApi('POST', '/account/email/verify', { body: { token } });
      await client.invalidateQueries({ queryKey: ['/session'] });
      return true;
    },
  });
  return (
    <AuthFrame title="Your e-mail address">
      {verified.error ? (
        <ErrorAlert error={verified.error} />
      ) : verified.data ? (
        <Alert color="teal" title="It is confirmed" role="status">
          Keys can be created with this account now.
        </Alert>
      ) : (
        <Loader size="sm" aria-label="Confirming" />
      )}
      <Button component={Link} to="/" variant={verified.data ? 'filled' : 'default'} fullWidth>
        To the dashboard
      </Button>
    </AuthFrame>
  );
}
