import { useCallback, useEffect, useRef, useState } from 'react';

export type Read<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'failed'; readonly sentence: string };

/** Reads now, again whenever `key` changes, and when it is asked to. What was read stays until the next is there. */
export function useRead<T>(read: () => Promise<T>, key: unknown): [read: Read<T>, again: () => void] {
  const [state, setState] = useState<Read<T>>({ kind: 'loading' });
  const asked = useRef(0);
  // `key` names all that `read` depends on.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const again = useCallback(() => {
    const turn = ++asked.current;
    // An answer that was overtaken is an older truth.
    const settle = (next: Read<T>): void => {
      if (turn === asked.current) setState(next);
    };
    read().then(
      (value) => settle({ kind: 'ok', value }),
      (error: Error) => settle({ kind: 'failed', sentence: error.message }),
    );
  }, [key]);
  useEffect(again, [again]);
  return [state, again];
}
