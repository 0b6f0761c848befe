import type { SessionResponse } from '@csg/shared/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiError, callApi } from '../../data/api.ts';
import { useApiMutation } from '../../data/hooks.ts';
import { storeCsrfToken } from '../../data/session.ts';

/** Signs a user in by password, set-up link or invitation. */
export function useSignIn<Body>(path: string, onSignedIn: () => void) {
  const client = useQueryClient();
  const [error, setError] = useState<ApiError | null>(null);
  const mutation = useApiMutation((body: Body) => callApi<SessionResponse>('POST', path, { body }), {
    quiet: true,
  });
  return {
    error,
    setError,
    isPending: mutation.isPending,
    submit(body: Body, onError?: (error: ApiError) => ApiError | null) {
      setError(null);
      mutation.mutate(body, {
        onSuccess(session) {
          // Cached data can belong to another user.
          client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== '/session' });
          client.setQueryData(['/session'], storeCsrfToken(session));
          onSignedIn();
        },
        onError: (error) => setError(onError === undefined ? error : onError(error)),
      });
    },
  };
}
