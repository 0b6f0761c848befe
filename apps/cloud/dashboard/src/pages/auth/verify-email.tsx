import { Alert, Button, Loader } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { ErrorAlert } from '../../components/states.tsx';
import { type ApiError, callApi } from '../../data/api.ts';
import { linkToken } from '../../data/link-token.ts';
import { AuthFrame } from './auth-frame.tsx';

/** The page of the verification link; works with and without a session. */
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
    <AuthFrame title="Email verification">
      {verified.error ? (
        <ErrorAlert error={verified.error} />
      ) : verified.data ? (
        <Alert color="teal" title="Email address verified" role="status">
          You can now create API keys.
        </Alert>
      ) : (
        <Loader size="sm" aria-label="Verifying" />
      )}
      <Button component={Link} to="/" variant={verified.data ? 'filled' : 'default'} fullWidth>
        Go to dashboard
      </Button>
    </AuthFrame>
  );
}
