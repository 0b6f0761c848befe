import { useCallback, useEffect, useState } from 'react';

export type Read<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'failed'; readonly sentence: string };

/** Reads now, again whenever `key` changes, and when it is asked to. What was read stays until the next is there. */
export function useRead<T>(read: () => Promise<T>, key: unknown): [read: Read<T>, again: () => void] {
  const [state, setState] = useState<Read<T>>({ kind: 'loading' });
  // `key` names all that `read` depends on.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const again = useCallback(() => {
    read().then(
      (value) => setState({ kind: 'ok', value }),
      (error: Error) => setState({ kind: 'failed', sentence: error.message }),
    );
  }, [key]);
  useEffect(again, [again]);
  return [state, again];
}
