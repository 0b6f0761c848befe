import { EventStreamCodec } from '@smithy/core/event-streams';
import { fromUtf8, toUtf8 } from '@smithy/core/serde';

const codec = new EventStreamCodec(toUtf8, fromUtf8);
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The shortest message: its lengths, the checksum of these and that of the whole. */
const MIN_MESSAGE = 16;

/** Whether every message is whole and fits its checksums, and there is at least one. */
export function findEventStreamError(body: Buffer): 'malformed_stream' | 'truncated' | null {
  try {
    return messagesOf(body).length === 0 ? 'malformed_stream' : null;
  } catch (error) {
    return error instanceof RangeError ? 'truncated' : 'malformed_stream';
  }
}

/**
 * The messages of a stream as one JSON object a line: its payload, with the type of its event; of a chunk the JSON in
 * its bytes. Headers that a client shows are members too. Throws where a message is not whole or not text.
 */
export function decodeEventStream(body: Buffer): string {
  return messagesOf(body)
    .flatMap(({ headers, payload }) => linesOf(headers, payload))
    .map((line) => `${line.replace(/[\r\n]+/g, ' ')}\n`)
    .join('');
}

/** An exception, which ends a stream: clients throw it with its message. */
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

function messagesOf(body: Buffer): Message[] {
  const messages: Message[] = [];
  for (let at = 0; at < body.length; ) {
    if (body.length - at < MIN_MESSAGE) throw new RangeError('a message is cut off');
    const length = body.readUInt32BE(at);
    if (length < MIN_MESSAGE) throw new Error('a message has no length');
    if (length > body.length - at) throw new RangeError('a message is cut off');
    const { headers, body: payload } = codec.decode(body.subarray(at, at + length));
    messages.push({
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, { type, value }]) => [
          name,
          type === 'binary' ? utf8.decode(value) : String(value),
        ]),
      ),
      payload: utf8.decode(payload),
    });
    at += length;
  }
  return messages;
}

function linesOf(
  { ':event-type': event, ':message-type': kind, ':content-type': _, ...others }: Message['headers'],
  payload: string,
): string[] {
  const members: Record<string, unknown> = { type: event ?? kind ?? 'message' };
  if (Object.keys(others).length > 0) members['headers'] = others;
  const head = JSON.stringify(members).slice(0, -1);
  const inner = payload.trim();
  if (event === 'chunk') {
    const { bytes, p: _padding, ...more } = JSON.parse(inner) as Readonly<Record<string, unknown>>;
    const chunk = typeof bytes === 'string' ? utf8.decode(Buffer.from(bytes, 'base64')) : '';
    const rest = { ...members, ...more };
    return [
      ...(chunk === '' ? [] : [chunk]),
      ...(Object.keys(rest).length > 1 ? [JSON.stringify(rest)] : []),
    ];
  }
  if (inner === '' || inner === '{}') return [`${head}}`];
  // As it is written: a parser would lose digits.
  if (inner.startsWith('{')) return [`${head},${inner.slice(1)}`];
  return [`${head},"payload":${JSON.stringify(payload)}}`];
}
