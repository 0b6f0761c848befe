import { MIMEType } from 'node:util';

export type ResponseKind = 'json' | 'event-stream' | 'other';

const UTF8 = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);
const SNIFFED = new Set(['text/plain', 'application/octet-stream', 'application/x-ndjson']);

/**
 * Returns the kind of a provider's response from its Content-Type, or from its first bytes if the type
 * is not specific. `bad_encoding`: two types, or a charset other than UTF-8, so that we and the client
 * could read different text.
 */
export function readResponseKind(
  contentType: string | string[] | undefined,
  body: Buffer,
  /** Media type of the endpoint's streams. */
  streamType = 'text/event-stream',
): ResponseKind | 'bad_encoding' {
  switch (contentType) {
    case 'application/json':
      return 'json';
    case 'text/event-stream':
      return 'event-stream';
    case undefined:
    case '':
      return sniff(body);
  }
  if (typeof contentType !== 'string') return 'bad_encoding';
  let type: MIMEType;
  try {
    type = new MIMEType(contentType);
  } catch {
    return 'bad_encoding';
  }
  const charset = type.params.get('charset');
  if (charset !== null && !UTF8.has(charset.toLowerCase())) return 'bad_encoding';
  const essence = type.essence;
  if (essence === 'application/json' || essence.endsWith('+json')) return 'json';
  if (essence === streamType || essence === 'text/event-stream') return 'event-stream';
  return SNIFFED.has(essence) ? sniff(body) : 'other';
}

function sniff(body: Buffer): ResponseKind {
  let at = 0;
  while (at < body.length && isSpace(body[at]!)) at++;
  const first = body[at];
  if (first === 0x7b || first === 0x5b) return 'json'; // { [
  const head = body.toString('latin1', at, at + 6);
  return /^(data:|event:|id:|retry:|:)/.test(head) ? 'event-stream' : 'other';
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}
