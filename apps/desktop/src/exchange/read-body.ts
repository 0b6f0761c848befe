import { isUtf8 } from 'node:buffer';
import { mediaType } from '../inspect/media-type.ts';
import type { BodyPart, RequestBody } from '../inspect/request-reading.ts';
import type { HttpHeaders } from '../upstream/open-request.ts';
import { decodeBytes } from './decode-bytes.ts';
import { headerText } from './events.ts';
import { framingOf, messagesOf } from './framed-body.ts';
import { MAX_BODY_BYTES } from './request-side.ts';

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json|^application\/(?:x-)?ndjson|^text\/(?:x-)?json/;

/** Parses a gathered body according to its headers, or by its content if they do not name a type. */
export async function readRequestBody(packed: Uint8Array, headers: HttpHeaders): Promise<RequestBody> {
  if (packed.length === 0) return { kind: 'none' };
  const bytes = await decodeBytes(packed, headerText(headers, 'content-encoding'), MAX_BODY_BYTES);
  if (bytes === null) {
    return { kind: 'unreadable', reason: 'The body could not be decompressed.' };
  }
  const framing = framingOf(headers);
  if (framing !== null) {
    const messages = messagesOf(framing, bytes, MAX_BODY_BYTES);
    if (messages !== null) return { kind: 'messages', messages };
    return { kind: 'unreadable', reason: 'The messages of the body could not be parsed.' };
  }
  const contentType = headerText(headers, 'content-type');
  const type = mediaType(contentType);
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1]?.toLowerCase();
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8' && charset !== 'us-ascii') {
    return { kind: 'unreadable', reason: `The body is encoded in ${charset}, not in UTF-8.` };
  }
  if (JSON_TYPE.test(type)) return { kind: 'json', bytes };
  if (type === 'application/x-www-form-urlencoded') return { kind: 'form', bytes };
  if (type === 'multipart/form-data') return readParts(bytes, contentType);
  if (!isUtf8(bytes) || bytes.includes(0)) {
    return type.startsWith('text/')
      ? { kind: 'unreadable', reason: 'The body is not UTF-8 text.' }
      : { kind: 'opaque' };
  }
  return { kind: looksLikeJson(bytes) ? 'json' : 'text', bytes };
}

function looksLikeJson(bytes: Uint8Array): boolean {
  for (const byte of bytes) {
    if (byte > 32) return byte === 0x7b || byte === 0x5b;
  }
  return false;
}

/** Uses Node's own form parser. */
async function readParts(bytes: Uint8Array, contentType: string): Promise<RequestBody> {
  try {
    const body = new Uint8Array(bytes);
    const form = await new Response(body, { headers: { 'content-type': contentType } }).formData();
    const parts: BodyPart[] = [];
    for (const [name, value] of form) {
      if (typeof value === 'string') parts.push({ name, fileName: null, text: value });
      else
        parts.push({ name, fileName: value.name, text: textOf(new Uint8Array(await value.arrayBuffer())) });
    }
    return { kind: 'parts', bytes, parts };
  } catch {
    return { kind: 'unreadable', reason: 'The form could not be parsed.' };
  }
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

function textOf(bytes: Uint8Array): string | null {
  return isUtf8(bytes) && !bytes.includes(0) ? utf8.decode(bytes) : null;
}
