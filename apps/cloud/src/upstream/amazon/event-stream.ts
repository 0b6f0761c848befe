import type { Framing } from '@csg/shared/streaming';
import { flatMapping, parseEveryMember, type Steps } from '@csg/shared/text';
import { EventStreamCodec } from '@smithy/core/event-streams';
import { fromUtf8, toUtf8 } from '@smithy/core/serde';

const codec = new EventStreamCodec(toUtf8, fromUtf8);
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Messages between two pauses. */
const MESSAGES = 64;
const LENGTH_BYTES = 4;
/** Shortest message: two lengths, their checksum, and the checksum of the whole. */
const MIN_MESSAGE = 16;

/** Checks that there is at least one message, and that all are complete with valid checksums. */
export function* findEventStreamError(body: Buffer): Steps<'malformed_stream' | 'truncated' | null> {
  try {
    return (yield* messagesOf(body)).length === 0 ? 'malformed_stream' : null;
  } catch (error) {
    return error instanceof RangeError ? 'truncated' : 'malformed_stream';
  }
}

/**
 * Returns the messages of a stream as one JSON object per line: the payload with its event type; for a chunk, the JSON
 * in its bytes. Includes headers that a client shows. Throws if a message is incomplete or not text.
 */
export function* decodeEventStream(body: Buffer): Steps<string> {
  const lines = yield* flatMapping(yield* messagesOf(body), linesOf);
  return lines.map((line) => `${line}\n`).join('');
}

/** Splits live streams into messages and rewrites their payloads; the library handles lengths, headers, checksums. */
export const amazonFraming: Framing = {
  endOfFrame(bytes, start) {
    if (bytes.length - start < LENGTH_BYTES) return -1;
    // Takes a length below the minimum as the minimum, so that the message is read with what follows and rejected.
    const length = Math.max(bytes.readUInt32BE(start), MIN_MESSAGE);
    return length > bytes.length - start ? -1 : start + length;
  },
  read(frame) {
    try {
      return linesOf(messageOf(frame))
        .map((line) => `data: ${line}\n\n`)
        .join('');
    } catch {
      return null;
    }
  },
  sourceOf(frame) {
    const { headers, payload } = messageOf(frame);
    const { bytes } = isChunk(headers) ? (JSON.parse(payload) as { readonly bytes?: unknown }) : {};
    return `data: ${onOneLine(typeof bytes === 'string' ? textOfChunk(bytes) : payload)}\n\n`;
  },
  rewrite(frame, source) {
    const { headers, body } = codec.decode(frame);
    const json = source.slice('data: '.length, -'\n\n'.length);
    if (headers[':event-type']?.value !== CHUNK)
      return Buffer.from(codec.encode({ headers, body: fromUtf8(json) }));
    const chunk = {
      ...(JSON.parse(utf8.decode(body)) as object),
      bytes: Buffer.from(json).toString('base64'),
    };
    return Buffer.from(codec.encode({ headers, body: fromUtf8(JSON.stringify(chunk)) }));
  },
};

/** Encodes an exception, which ends a stream: clients throw it with its message. */
export function encodeException(type: string, payload: string): Buffer {
  return Buffer.from(
    codec.encode({
      headers: {
        ':message-type': { type: 'string', value: 'exception' },
        ':exception-type': { type: 'string', value: type },
        ':content-type': { type: 'string', value: 'application/json' },
      },
      body: fromUtf8(payload),
    }),
  );
}

interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: string;
}

function* messagesOf(body: Buffer): Steps<Message[]> {
  const messages: Message[] = [];
  for (let at = 0; at < body.length; ) {
    if (body.length - at < MIN_MESSAGE) throw new RangeError('a message is truncated');
    const length = body.readUInt32BE(at);
    if (length < MIN_MESSAGE) throw new Error('a message has no length');
    if (length > body.length - at) throw new RangeError('a message is truncated');
    messages.push(messageOf(body.subarray(at, at + length)));
    at += length;
    if (messages.length % MESSAGES === 0) yield;
  }
  return messages;
}

function messageOf(bytes: Buffer): Message {
  const { headers, body } = codec.decode(bytes);
  return {
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, { type, value }]) => [
        name,
        type === 'binary' ? utf8.decode(value) : String(value),
      ]),
    ),
    payload: utf8.decode(body),
  };
}

const CHUNK = 'chunk';
const isChunk = (headers: Message['headers']): boolean => headers[':event-type'] === CHUNK;
const textOfChunk = (bytes: string): string => utf8.decode(Buffer.from(bytes, 'base64'));
const onOneLine = (json: string): string => json.replace(/[\r\n]+/g, ' ');

/** Messages are padded with a prefix of this, so that their length does not reveal the text. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const PADDING = /,\s*"p"\s*:\s*"([a-zA-Z0-9]{0,62})"\s*\}$/;

/** Returns the JSON without its padding. No string can contain the match, because the quote would end it. */
function withoutPadding(json: string): string {
  const found = PADDING.exec(json);
  return found !== null && ALPHABET.startsWith(found[1]!) ? `${json.slice(0, found.index)}}` : json;
}

const isNoChunk = (member: object): boolean => !('bytes' in member);

/** Chunks in one message are readings of one frame: a frame that repeats their members is read in the same ways. */
function asOneFrame(chunks: readonly string[]): readonly string[] {
  const filled = chunks.filter((chunk) => chunk !== '');
  const objects = filled.map((chunk) => chunk.trim()).filter((chunk) => /^\{.*\}$/s.test(chunk));
  if (objects.length < 2 || objects.length < filled.length) return filled;
  return [`{${objects.map((chunk) => chunk.slice(1, -1)).join(',')}}`];
}

function linesOf(message: Message): string[] {
  return textsOf(message.headers, message.payload).map(onOneLine);
}

function textsOf(
  { ':event-type': event, ':message-type': kind, ':content-type': _, ...others }: Message['headers'],
  payload: string,
): string[] {
  const members: Record<string, unknown> = { type: event ?? kind ?? 'message' };
  if (Object.keys(others).length > 0) members['headers'] = others;
  const head = JSON.stringify(members).slice(0, -1);
  const inner = withoutPadding(payload.trim());
  if (event === CHUNK) {
    const { value, repeated } = parseEveryMember(inner);
    const { bytes: _, ...more } = value as Readonly<Record<string, unknown>>;
    const all = (repeated?.all ?? [value]) as readonly { readonly bytes?: unknown }[];
    const chunks = all.flatMap(({ bytes }) => (typeof bytes === 'string' ? [textOfChunk(bytes)] : []));
    const rest = { ...members, ...more, ...(repeated !== null && { repeated: all.filter(isNoChunk) }) };
    return [...asOneFrame(chunks), ...(Object.keys(rest).length > 1 ? [JSON.stringify(rest)] : [])];
  }
  if (inner === '' || inner === '{}') return [`${head}}`];
  // Copied as written: a parser would lose digits.
  if (inner.startsWith('{')) return [`${head},${inner.slice(1)}`];
  return [`${head},"payload":${JSON.stringify(payload)}}`];
}
