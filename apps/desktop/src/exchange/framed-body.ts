import {
  brotliDecompressSync,
  gunzipSync,
  inflateSync,
  type ZlibOptions,
  zstdDecompressSync,
} from 'node:zlib';
import { mediaType } from '../inspect/media-type.ts';
import type { FramedMessage } from '../inspect/read-messages.ts';
import type { HttpHeaders } from '../upstream/open-request.ts';
import { headerText } from './events.ts';

/**
 * A body in protobuf or of the Connect and gRPC protocols. In streams of both, each message has an envelope: one byte
 * of flags, four bytes of length, then the message (https://connectrpc.com/docs/protocol, grpc/doc/PROTOCOL-HTTP2.md).
 */
export interface Framing {
  readonly isFramed: boolean;
  readonly codec: FramedMessage['codec'];
  /** The compression of messages whose flags mark them as compressed. */
  readonly packing: string;
}

const MESSAGE = /^application\/(?:x-)?proto(?:buf)?$/;
const CONNECT = /^application\/connect\+(proto|json)$/;
const GRPC = /^application\/grpc(?:-web)?(?:\+(proto|json))?$/;

const HEAD_BYTES = 5;
const PACKED = 0x01;
/** In Connect the end of a stream as JSON, in gRPC-Web the trailers as text. */
const LAST = 0x02 | 0x80;

/** Returns null for other kinds of bodies. */
export function framingOf(headers: HttpHeaders): Framing | null {
  const type = mediaType(headerText(headers, 'content-type'));
  if (MESSAGE.test(type)) return { isFramed: false, codec: 'proto', packing: '' };
  const [name, found] = [
    ['connect-content-encoding', CONNECT.exec(type)] as const,
    ['grpc-encoding', GRPC.exec(type)] as const,
  ].find(([, match]) => match !== null) ?? ['', null];
  if (found === null) return null;
  const codec = found[1] === 'json' ? 'json' : 'proto';
  return { isFramed: true, codec, packing: headerText(headers, name).trim().toLowerCase() };
}

type Unpack = (bytes: Uint8Array, options: ZlibOptions) => Uint8Array;

const UNPACK: ReadonlyMap<string, Unpack> = new Map<string, Unpack>([
  ['gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', (bytes, { maxOutputLength }) => brotliDecompressSync(bytes, { maxOutputLength })],
  ['zstd', (bytes, { maxOutputLength }) => zstdDecompressSync(bytes, { maxOutputLength })],
]);

/** Takes the pieces of a stream and returns the messages that they complete; null once the stream is unreadable. */
export type FrameReader = (bytes: Uint8Array) => readonly FramedMessage[] | null;

/** `maxBytes`: limit of one message, compressed or decompressed. */
export function createFrameReader({ codec, packing }: Framing, maxBytes: number): FrameReader {
  let pieces: Uint8Array[] = [];
  let size = 0;
  let needed = HEAD_BYTES;
  let isBroken = false;

  function messageOf(flags: number, data: Uint8Array): FramedMessage {
    const unpack = UNPACK.get(packing);
    if ((flags & PACKED) !== 0 && unpack === undefined) throw new Error(`packed as ${packing}`);
    const bytes = (flags & PACKED) === 0 ? data : unpack!(data, { maxOutputLength: maxBytes });
    return { codec: (flags & LAST) === 0 ? codec : 'text', bytes };
  }

  function read(): readonly FramedMessage[] {
    const messages: FramedMessage[] = [];
    let held: Uint8Array = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
    while (held.length >= HEAD_BYTES) {
      const length = new DataView(held.buffer, held.byteOffset).getUint32(1);
      if (length > maxBytes) throw new Error('a message is too large');
      needed = HEAD_BYTES + length;
      if (held.length < needed) break;
      messages.push(messageOf(held[0]!, held.subarray(HEAD_BYTES, needed)));
      held = held.subarray(needed);
      needed = HEAD_BYTES;
    }
    pieces = held.length === 0 ? [] : [held];
    size = held.length;
    return messages;
  }

  return (bytes) => {
    if (isBroken) return null;
    pieces.push(bytes);
    size += bytes.length;
    if (size < needed) return [];
    try {
      return read();
    } catch {
      isBroken = true;
      return null;
    }
  };
}

/** Returns the messages of a whole body; null: it is malformed. */
export function messagesOf(
  framing: Framing,
  body: Uint8Array,
  maxBytes: number,
): readonly FramedMessage[] | null {
  if (!framing.isFramed) return [{ codec: framing.codec, bytes: body }];
  const messages = createFrameReader(framing, maxBytes)(body);
  const size = messages === null ? 0 : lengthOfFrames(body);
  // Leftover bytes belong to no message.
  return size === body.length ? messages : null;
}

function lengthOfFrames(body: Uint8Array): number {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  let at = 0;
  while (at + HEAD_BYTES <= body.length) at += HEAD_BYTES + view.getUint32(at + 1);
  return at;
}
