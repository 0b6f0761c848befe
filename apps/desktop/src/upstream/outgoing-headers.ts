import type { OutgoingHttpHeaders } from 'node:http';

/** Headers of one hop, or for the proxy: never forwarded. `te: trailers` is forwarded. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'proxy-authenticate',
  'expect',
  'upgrade',
  'te',
  'http2-settings',
  'x-content-security-agent',
]);

export interface HeaderChanges {
  /** New length of a body that was rewritten or gathered. */
  readonly contentLength?: number;
  /** The body is sent decompressed. */
  readonly isDecoded?: boolean;
  /** New values, by their place in the client's list. */
  readonly values?: ReadonlyMap<number, string>;
  /** The connection is changed to another protocol: the headers that ask for it are sent. */
  readonly isUpgrade?: boolean;
}

/**
 * Returns the client's headers for HTTP/1.1 in its order and spelling, without those of this hop. Providers distinguish
 * clients by both.
 */
export function outgoingHeaders(raw: readonly string[], changes: HeaderChanges): OutgoingHttpHeaders {
  // No prototype: a header may have any name, including `__proto__` and `constructor`.
  const headers: OutgoingHttpHeaders & Record<string, string | string[]> = Object.create(null);
  const spelling = new Map<string, string>();
  const named = connectionNames(raw);
  const hasTrailers = changes.contentLength === undefined && hasChunks(raw);
  const add = (name: string, lower: string, value: string): void => {
    const known = spelling.get(lower);
    if (known === undefined) {
      spelling.set(lower, name);
      headers[name] = value;
    } else if (lower !== 'content-length' && lower !== 'host') {
      headers[known] = joined(lower, headers[known]!, value);
    }
  };
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]!;
    const value = valueAt(raw, i, changes);
    const lower = name.toLowerCase();
    if (lower === 'connection' && changes.isUpgrade !== true) {
      if (/^(?:keep-alive|close)$/i.test(value)) headers[name] = 'keep-alive';
      continue;
    }
    if (isLeftOut(lower, value, named, changes, hasTrailers)) continue;
    add(name, lower, lower === 'content-length' ? String(changes.contentLength ?? value) : value);
  }
  if (changes.contentLength !== undefined && !spelling.has('content-length')) {
    headers['Content-Length'] = String(changes.contentLength);
  }
  return headers;
}

function valueAt(raw: readonly string[], i: number, { values }: HeaderChanges): string {
  return values?.get(i / 2) ?? raw[i + 1]!;
}

/** Only a body in chunks has trailers: Node throws when it writes a head that announces them for another. */
export function hasChunks(raw: readonly string[]): boolean {
  for (let i = 0; i + 1 < raw.length; i += 2) {
    if (raw[i]!.toLowerCase() === 'transfer-encoding') return /(?:^|\W)chunked$/i.test(raw[i + 1]!.trim());
  }
  return false;
}

function isLeftOut(
  lower: string,
  value: string,
  named: ReadonlySet<string> | null,
  changes: HeaderChanges,
  hasTrailers: boolean,
): boolean {
  if (lower === 'trailer' && !hasTrailers) return true;
  if (changes.isUpgrade === true && (lower === 'connection' || lower === 'upgrade')) return false;
  return endsHere(lower, value) || named?.has(lower) === true || isOutdated(lower, changes);
}

function endsHere(lower: string, value: string): boolean {
  if (lower.startsWith(':')) return true;
  return HOP_BY_HOP.has(lower) && !(lower === 'te' && value.toLowerCase() === 'trailers');
}

/** True for headers that describe the body before a change. */
function isOutdated(lower: string, { contentLength, isDecoded }: HeaderChanges): boolean {
  if (lower === 'transfer-encoding') return contentLength !== undefined;
  return lower === 'content-encoding' && isDecoded === true;
}

function joined(lower: string, before: string | number | string[], value: string): string | string[] {
  // HTTP/2 splits cookies that HTTP/1.1 sends in one header.
  if (lower === 'cookie') return `${before as string}; ${value}`;
  return [...(Array.isArray(before) ? before : [String(before)]), value];
}

function connectionNames(raw: readonly string[]): ReadonlySet<string> | null {
  for (let i = 0; i + 1 < raw.length; i += 2) {
    if (raw[i]!.length === 10 && raw[i]!.toLowerCase() === 'connection' && raw[i + 1]!.length > 10) {
      return new Set(
        raw[i + 1]!.toLowerCase()
          .split(',')
          .map((name) => name.trim()),
      );
    }
  }
  return null;
}

/** Like `outgoingHeaders`, for HTTP/2: pairs in the client's order, in lower case, pseudo headers first. */
export function outgoingHeaders2(
  raw: readonly string[],
  changes: HeaderChanges & { readonly path?: string },
): string[] {
  const headers: string[] = [];
  let isLengthSet = false;
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]!.toLowerCase();
    let value = valueAt(raw, i, changes);
    if (isOfThisHop(name, value) || isOutdated(name, changes)) continue;
    if (name === ':path' && changes.path !== undefined) value = changes.path;
    if (name === 'content-length' && changes.contentLength !== undefined) {
      value = String(changes.contentLength);
      isLengthSet = true;
    }
    headers.push(name, value);
  }
  if (changes.isDecoded === true && changes.contentLength !== undefined && !isLengthSet) {
    headers.push('content-length', String(changes.contentLength));
  }
  return headers;
}

/** Returns the trailers that HTTP/2 can send: Node throws at others, in an event that nobody catches. */
export function trailers2(raw: readonly string[]): OutgoingHttpHeaders {
  const trailers: OutgoingHttpHeaders = Object.create(null);
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]!.toLowerCase();
    if (!endsHere(name, '') && name !== 'transfer-encoding') trailers[name] = raw[i + 1]!;
  }
  return trailers;
}

/** True for HTTP/2 headers (lower case) that only apply between the client and this proxy. */
function isOfThisHop(name: string, value: string): boolean {
  if (name === 'transfer-encoding') return true;
  return HOP_BY_HOP.has(name) && !(name === 'te' && value === 'trailers');
}

/**
 * Returns a response's headers without those of this hop and those in `without` (lower case); flat pairs, in the
 * provider's order and spelling.
 */
export function responseHeaders(
  raw: readonly string[],
  isHttp2: boolean,
  without: readonly string[] = [],
): string[] {
  const headers: string[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]!;
    const lower = name.toLowerCase();
    if (name.startsWith(':') || lower === 'transfer-encoding' || HOP_BY_HOP.has(lower)) continue;
    if (without.includes(lower)) continue;
    headers.push(isHttp2 ? lower : name, raw[i + 1]!);
  }
  return headers;
}
