import type { IncomingHttpHeaders } from 'node:http';
import { KEY_PREFIX } from '@csg/shared/contract';

/** Where clients with one field for a key put it: theirs are the providers' own headers. */
const PROVIDER_CARRIERS = ['api-key', 'x-goog-api-key'] as const;

/**
 * The service key of a request: that of X-API-Key, else the first service key in a header that usually carries a
 * provider's credential.
 */
export function serviceKeyIn(headers: IncomingHttpHeaders): string | undefined {
  if (hasServiceHeader(headers)) return textOf(headers['x-api-key']);
  const carried = [
    bearerOf(headers.authorization),
    ...PROVIDER_CARRIERS.map((name) => textOf(headers[name])),
  ];
  return carried.find((value) => value != null && isServiceKey(value)) ?? undefined;
}

/** False: the service key stands where a provider credential would, so the request can bring none. */
export function hasServiceHeader(headers: IncomingHttpHeaders): boolean {
  const sent = headers['x-api-key'];
  return sent !== undefined && sent !== '';
}

/** In any spelling: it must not go to a provider. */
export function isServiceKey(value: string): boolean {
  return value.toLowerCase().startsWith(KEY_PREFIX);
}

/** The token of an `Authorization: Bearer` header; null without one. */
export function bearerOf(authorization: string | undefined): string | null {
  return /^bearer +(.*)$/i.exec(authorization ?? '')?.[1]?.trim() || null;
}

function textOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
