import type { IncomingHttpHeaders } from 'node:http';
import { KEY_PREFIX } from '@csg/shared/contract';

/** Headers in which clients with a single key field send it: the providers' own headers. */
const PROVIDER_CARRIERS = ['api-key', 'x-goog-api-key'] as const;

/**
 * Returns the API key of a request: that of X-API-Key, else the first one in a header that usually carries a provider's
 * credential.
 */
export function serviceKeyIn(headers: IncomingHttpHeaders): string | undefined {
  if (hasServiceHeader(headers)) return textOf(headers['x-api-key']);
  const carried = [
    bearerOf(headers.authorization),
    ...PROVIDER_CARRIERS.map((name) => textOf(headers[name])),
  ];
  return carried.find((value) => value != null && isServiceKey(value)) ?? undefined;
}

/** If false, the API key is in the place of a provider credential, so the request contains none. */
export function hasServiceHeader(headers: IncomingHttpHeaders): boolean {
  const sent = headers['x-api-key'];
  return sent !== undefined && sent !== '';
}

/** In any letter case: an API key must not be sent to a provider. */
export function isServiceKey(value: string): boolean {
  return value.toLowerCase().startsWith(KEY_PREFIX);
}

/** Returns the token of an `Authorization: Bearer` header; null if there is none. */
export function bearerOf(authorization: string | undefined): string | null {
  return /^bearer +(.*)$/i.exec(authorization ?? '')?.[1]?.trim() || null;
}

function textOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
