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

export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    // A session that ended while a page was open: whoever is there is asked to sign in.
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
        // A refusal stays a refusal; a gateway that is being restarted comes back.
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
  /** Milliseconds between reads while the page is looked at. */
  readonly refetchMs?: number;
  readonly enabled?: boolean;
  /** While another page or filter loads, what was there stays. */
  readonly keepPrevious?: boolean;
}

/** One read. Its name in the cache is its address, so that an act can say which addresses changed. */
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

/** One act: says so when it is done, says why when it is not, and has what changed read again. */
export function useApiMutation<Input, Data = unknown>(
  mutationFn: (input: Input) => Promise<Data>,
  options: {
    /** Addresses to read again; all that begin so. */
    readonly refresh?: readonly string[];
    readonly successMessage?: string | ((data: Data, input: Input) => string);
    /** Faults that the caller shows itself, such as next to a field. */
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
        });
      }
    },
    onError(error) {
      if (!options.quiet) {
        notifications.show({ title: 'That did not work', message: error.message, color: 'red' });
      }
    },
  });
}
