import { useEffect, useState } from 'react';

/** The page by the hash of the address: `#/decisions/evt_1?x=y` is `['decisions', 'evt_1']` and its query. */
export interface Page {
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

export function usePage(): Page {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const read = (): void => setHash(location.hash);
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  return {
    path: path.split('/').filter(Boolean).map(decodeURIComponent),
    query: new URLSearchParams(query),
  };
}
