import { KEY_PREFIX } from '../contract/index.ts';
import { applyReplacements, type Replacement, type TextSlot } from '../text/index.ts';

/** A header's name, in lower case, and its value. */
export type Header = readonly [name: string, value: string];

const PREFIX = 'headers/';

/** Of the transport, and what browsers and libraries write without anybody's words. */
const OF_TRANSPORT =
  /^(?::.*|host|connection|keep-alive|proxy-connection|upgrade|te|trailer|transfer-encoding|expect|http2-settings|content-(?:length|encoding)|accept-encoding|sec-.*)$/;
/** Its boundary stands in the body, too. */
const OF_PARTS = /^multipart\//i;
const CREDENTIAL =
  /^(?:(?:proxy-)?authorization|cookie)$|(?:^|[-_])(?:key|token|secret|signature|auth|jwt|csrf|xsrf)$/;
/** Versions and ids that clients generate. */
const GENERATED =
  /^(?:anthropic-.*|x-amz-(?:date|content-sha256)|traceparent|tracestate|sentry-trace|baggage|b3|x-b3-.*|x-datadog-.*|.*-trace-(?:id|context)|.*-request-id|request-id)$/;

/** A header that the provider will see and that is read: its place in the list of all, and its text. */
export interface ReadHeader {
  readonly at: number;
  readonly slot: TextSlot;
}

/** Chooses what is read. Credentials and generated values only are if one of our keys is in them. */
export function readableHeaders(headers: readonly Header[]): ReadHeader[] {
  return headers.flatMap(([name, text], at) => {
    const slot: TextSlot = { path: `${PREFIX}${name}`, role: 'metadata', text };
    return isRead(name, text) ? [{ at, slot }] : [];
  });
}

function isRead(name: string, value: string): boolean {
  if (value.includes(KEY_PREFIX)) return true;
  if (name === 'content-type' && OF_PARTS.test(value)) return false;
  return value !== '' && ![OF_TRANSPORT, CREDENTIAL, GENERATED].some((names) => names.test(name));
}

/** Joins the texts: scanning one short text is faster than scanning many. */
export function joinedHeaders(headers: readonly ReadHeader[]): TextSlot {
  const text = headers.map(({ slot }) => slot.text).join('\n');
  return { path: PREFIX, role: 'metadata', text };
}

/** Returns the values that change, by their place in the list of all headers. */
export function maskedHeaders(
  headers: readonly ReadHeader[],
  masksOf: (slot: TextSlot) => readonly Replacement[] | undefined,
): ReadonlyMap<number, string> {
  const masked = new Map<number, string>();
  for (const { at, slot } of headers) {
    const masks = masksOf(slot) ?? [];
    if (masks.length > 0) masked.set(at, applyReplacements(slot.text, masks));
  }
  return masked;
}

export function isHeaderText({ path }: Pick<TextSlot, 'path'>): boolean {
  return path.startsWith(PREFIX);
}

/** True for an address in the User-Agent, where programs name a contact: it is only reported. */
export function isReportedHeader(pii: string | undefined, { path }: Pick<TextSlot, 'path'>): boolean {
  return pii === 'email' && path === `${PREFIX}user-agent`;
}
