import type { MemberRecord } from '@csg/shared/contract';
import { notifications } from '@mantine/notifications';
import {
  keepPreviousData,
  QueryCache,
  QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { ApiError, callApi, type Query } from './api.ts';

const DISMISS = { 'aria-label': 'Dismiss' };

export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    // If the session expired while a page was open, reading it again leads to the sign-in page.
    queryCache: new QueryCache({
      onError: (error, { queryKey }) => {
        if (error instanceof ApiError && error.code === 'not_signed_in' && queryKey[0] !== '/session') {
          void client.invalidateQueries({ queryKey: ['/session'] });
        }
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // Rejections are final, but a restarting gateway becomes available again.
        retry: (count, error) => count < 2 && (!(error instanceof ApiError) || isTransient(error)),
        retryDelay: (count) => 400 * 2 ** count,
      },
    },
  });
  return client;
}

function isTransient({ status }: ApiError): boolean {
  return status === 0 || status === 502 || status === 503 || status === 504;
}

export interface ApiQueryOptions {
  readonly query?: Query;
  /** Milliseconds between refetches while the page is visible. */
  readonly refetchMs?: number;
  readonly enabled?: boolean;
  /** Keeps the previous data while another page or filter loads. */
  readonly keepPrevious?: boolean;
}

/** Reads a path. The path is the cache key, so that a mutation can name the paths to refresh. */
export function useApiQuery<Data>(
  path: string,
  options: ApiQueryOptions = {},
): UseQueryResult<Data, ApiError> {
  const { query, refetchMs, enabled = true, keepPrevious = false } = options;
  return useQuery({
    queryKey: [path, query ?? {}],
    queryFn: ({ signal }) => callApi<Data>('GET', path, { query, signal }),
    enabled,
    refetchInterval: refetchMs ?? false,
    placeholderData: keepPrevious ? keepPreviousData : undefined,
  }) as UseQueryResult<Data, ApiError>;
}

/** Runs a mutation, shows its result as a notification, and refreshes the data that it changed. */
export function useApiMutation<Input, Data = unknown>(
  mutationFn: (input: Input) => Promise<Data>,
  options: {
    /** Path prefixes to read again. */
    readonly refresh?: readonly string[];
    readonly successMessage?: string | ((data: Data, input: Input) => string);
    /** The caller shows errors itself, such as next to a field. */
    readonly quiet?: boolean;
  } = {},
): UseMutationResult<Data, ApiError, Input> {
  const client = useQueryClient();
  return useMutation<Data, ApiError, Input>({
    mutationFn,
    async onSuccess(data, input) {
      const { successMessage, refresh = [] } = options;
      await client.invalidateQueries({
        predicate: ({ queryKey }) => refresh.some((start) => String(queryKey[0]).startsWith(start)),
      });
      if (successMessage !== undefined) {
        notifications.show({
          message: typeof successMessage === 'string' ? successMessage : successMessage(data, input),
          color: 'teal',
          closeButtonProps: DISMISS,
        });
      }
    },
    onError(error) {
      if (!options.quiet) {
        notifications.show({
          title: 'Request failed',
          message: error.message,
          color: 'red',
          closeButtonProps: DISMISS,
        });
      }
    },
  });
}

/** Member options for a select, by email address. */
export function useMemberChoices(): { value: string; label: string }[] {
  const read = useApiQuery<MemberRecord[]>('/members');
  return (read.data ?? []).map(({ email, name }) => ({
    value: email,
    label: name === null ? email : `${name} (${email})`,
  }));
}
