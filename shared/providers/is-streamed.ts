import type { Endpoint } from './provider.ts';

/** True if a request asks for a stream. `query`: without its question mark. */
export function isStreamed(
  { streams }: Pick<Endpoint, 'streams'>,
  body: { readonly stream: boolean },
  query: string | undefined,
): boolean {
  if (streams === undefined) return body.stream;
  if (typeof streams === 'string') return streams === 'always';
  return new URLSearchParams(query).get(streams.query) === streams.value;
}
