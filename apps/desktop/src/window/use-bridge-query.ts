import { useCallback, useEffect, useRef, useState } from 'react';

export type QueryState<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'failed'; readonly message: string };

/** Reads on mount, whenever `key` changes, and on `refetch`. Keeps the previous data until the new data arrives. */
export function useBridgeQuery<T>(
  read: () => Promise<T>,
  key: unknown,
): [read: QueryState<T>, again: () => void] {
  const [state, setState] = useState<QueryState<T>>({ kind: 'loading' });
  const latestCall = useRef(0);
  // `key` identifies everything that `read` depends on.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const refetch = useCallback(() => {
    const call = ++latestCall.current;
    // The response of an earlier call is outdated.
    const settle = (next: QueryState<T>): void => {
      if (call === latestCall.current) setState(next);
    };
    read().then(
      (value) => settle({ kind: 'ok', value }),
      (error: Error) => settle({ kind: 'failed', message: error.message }),
    );
  }, [key]);
  useEffect(refetch, [refetch]);
  return [state, refetch];
}
