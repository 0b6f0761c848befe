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
import { ApiFault, callApi, type Query } from './api.ts';

export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    // A session that ended while a page was open: whoever is there is asked to sign in.
    queryCache: new QueryCache({
      onError: (fault, { queryKey }) => {
        if (fault instanceof ApiFault && fault.code === 'not_signed_in' && queryKey[0] !== '/session') {
          void client.invalidateQueries({ queryKey: ['/session'] });
        }
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // A refusal stays a refusal; a gateway that is being restarted comes back.
        retry: (count, fault) => count < 2 && (!(fault instanceof ApiFault) || isPassing(fault)),
        retryDelay: (count) => 400 * 2 ** count,
      },
    },
  });
  return client;
}

function isPassing({ status }: ApiFault): boolean {
  return status === 0 || status === 502 || status === 503 || status === 504;
}

export interface ReadOptions {
  readonly query?: Query;
  /** Milliseconds between reads while the page is looked at. */
  readonly everyMs?: number;
  readonly enabled?: boolean;
  /** While another page or filter loads, what was there stays. */
  readonly keep?: boolean;
}

/** One read. Its name in the cache is its address, so that an act can say which addresses changed. */
export function useRead<Answer>(path: string, options: ReadOptions = {}): UseQueryResult<Answer, ApiFault> {
  const { query, everyMs, enabled = true, keep = false } = options;
  return useQuery({
    queryKey: [path, query ?? {}],
    queryFn: ({ signal }) => callApi<Answer>('GET', path, { query, signal }),
    enabled,
    refetchInterval: everyMs ?? false,
    placeholderData: keep ? keepPreviousData : undefined,
  }) as UseQueryResult<Answer, ApiFault>;
}

/** One act: says so when it is done, says why when it is not, and has what changed read again. */
export function useAct<Input, Answer = unknown>(
  act: (input: Input) => Promise<Answer>,
  options: {
    /** Addresses to read again; all that begin so. */
    readonly refresh?: readonly string[];
    readonly done?: string | ((answer: Answer, input: Input) => string);
    /** Faults that the caller shows itself, such as next to a field. */
    readonly quiet?: boolean;
  } = {},
): UseMutationResult<Answer, ApiFault, Input> {
  const client = useQueryClient();
  return useMutation<Answer, ApiFault, Input>({
    mutationFn: act,
    async onSuccess(answer, input) {
      const { done, refresh = [] } = options;
      await client.invalidateQueries({
        predicate: ({ queryKey }) => refresh.some((start) => String(queryKey[0]).startsWith(start)),
      });
      if (done !== undefined) {
        notifications.show({ message: typeof done === 'string' ? done : done(answer, input), color: 'teal' });
      }
    },
    onError(fault) {
      if (!options.quiet) {
        notifications.show({ title: 'That did not work', message: fault.message, color: 'red' });
      }
    },
  });
}
