import { useCallback, useEffect, useRef, useState } from 'react';

export type QueryState<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'failed'; readonly message: string };

/** Reads now, again whenever `key` changes, and when it is asked to. What was read stays until the next is there. */
export function useBridgeQuery<T>(read: () => Promise<T>, key: unknown): [read: QueryState<T>, again: () => void] {
  const [state, setState] = useState<QueryState<T>>({ kind: 'loading' });
  const latestCall = useRef(0);
  // `key` names all that `read` depends on.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const refetch = useCallback(() => {
    const call = ++latestCall.current;
    // An answer that was overtaken is an older truth.
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
