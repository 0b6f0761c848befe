import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type { BodyPart, RequestBody } from '../inspect/request-reading.ts';
import { decodeBytes } from './body-bytes.ts';

/** Text is looked for in no body that is larger, packed or unpacked. */
export const MAX_BODY_BYTES = 32 * 1024 * 1024;

const OPAQUE = /^(?:image|audio|video|font)\//;
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json|^application\/(?:x-)?ndjson|^text\/(?:x-)?json/;

export function mediaType(headers: IncomingHttpHeaders): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
}

/** True for bodies that go through as they come: no text is in them, and they may be large. */
export function isOpaque(headers: IncomingHttpHeaders): boolean {
  return OPAQUE.test(mediaType(headers));
}

/** Takes a gathered body apart as its headers say; where they say nothing, as it looks. */
export async function readRequestBody(packed: Buffer, headers: IncomingHttpHeaders): Promise<RequestBody> {
  if (packed.length === 0) return { kind: 'none' };
  const bytes = await decodeBytes(packed, headers['content-encoding'], MAX_BODY_BYTES);
  if (bytes === null) {
    return { kind: 'unreadable', reason: 'The body is packed in a way that could not be unpacked.' };
  }
  const type = mediaType(headers);
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase();
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8' && charset !== 'us-ascii') {
    return { kind: 'unreadable', reason: `The body is written in ${charset}, not in UTF-8.` };
  }
  if (JSON_TYPE.test(type)) return { kind: 'json', bytes };
  if (type === 'application/x-www-form-urlencoded') return { kind: 'form', bytes };
  if (type === 'multipart/form-data') return readParts(bytes, headers['content-type'] ?? '');
  if (!isUtf8(bytes) || bytes.includes(0)) {
    return type.startsWith('text/')
      ? { kind: 'unreadable', reason: 'The body is no text in UTF-8.' }
      : { kind: 'opaque' };
  }
  return { kind: looksLikeJson(bytes) ? 'json' : 'text', bytes };
}

function looksLikeJson(bytes: Buffer): boolean {
  for (const byte of bytes) {
    if (byte > 32) return byte === 0x7b || byte === 0x5b;
  }
  return false;
}

/** By Node's own reader of forms. */
async function readParts(bytes: Buffer, contentType: string): Promise<RequestBody> {
  try {
    const body = new Uint8Array(bytes);
    const form = await new Response(body, { headers: { 'content-type': contentType } }).formData();
    const parts: BodyPart[] = [];
    for (const [name, value] of form) {
      if (typeof value === 'string') parts.push({ name, fileName: null, text: value });
      else parts.push({ name, fileName: value.name, text: textOf(Buffer.from(await value.arrayBuffer())) });
    }
    return { kind: 'parts', bytes, parts };
  } catch {
    return { kind: 'unreadable', reason: 'The form could not be taken apart.' };
  }
}

function textOf(bytes: Buffer): string | null {
  return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString('utf8') : null;
}
