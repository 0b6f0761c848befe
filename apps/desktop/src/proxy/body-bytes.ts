import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import type { Readable, Writable } from 'node:stream';
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions, zstdDecompress } from 'node:zlib';

export type ClientRequestStream = IncomingMessage | Http2ServerRequest;

export type Gathered =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  /** `head` is what came already; the rest is still in the stream, which stands still. */
  | { readonly kind: 'too-large'; readonly head: readonly Buffer[] }
  | { readonly kind: 'broken' };

/** Reads a stream to its end, or until it is larger than `maxBytes`. */
export function gather(stream: Readable, maxBytes: number): Promise<Gathered> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (gathered: Gathered): void => {
      stream.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
      resolve(gathered);
    };
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= maxBytes) return;
      stream.pause();
      finish({ kind: 'too-large', head: chunks });
    };
    const onEnd = (): void =>
      finish({ kind: 'whole', bytes: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks) });
    const onBroken = (): void => finish({ kind: 'broken' });
    stream.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}

/** A body on its way to the vendor. Has the one method http-proxy calls. */
export interface BodySource {
  readonly isReplayable: boolean;
  pipe(destination: Writable): void;
}

export function bytesSource(bytes: Buffer | null): BodySource {
  return {
    isReplayable: true,
    pipe: (destination) =>
      void (bytes === null || bytes.length === 0 ? destination.end() : destination.end(bytes)),
  };
}

/** What came already, then the rest as it comes, with its trailers. */
export function streamSource(request: ClientRequestStream, head: readonly Buffer[] = []): BodySource {
  return {
    isReplayable: false,
    pipe(destination) {
      for (const chunk of head) destination.write(chunk);
      request.once('end', () => {
        const trailers = pairsOf(request.rawTrailers);
        const out = destination as { addTrailers?: (pairs: [string, string][]) => void };
        if (trailers.length > 0) out.addTrailers?.(trailers);
      });
      (request as Readable).pipe(destination);
    },
  };
}

export function pairsOf(raw: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) pairs.push([raw[i]!, raw[i + 1]!]);
  return pairs;
}

type Decoder = (
  body: Buffer,
  options: ZlibOptions,
  done: (error: Error | null, output: Buffer) => void,
) => void;

const DECODERS: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['br', (body, { maxOutputLength }, done) => brotliDecompress(body, { maxOutputLength }, done)],
  ['zstd', (body, { maxOutputLength }, done) => zstdDecompress(body, { maxOutputLength }, done)],
  // RFC 9110 8.4.1.2 means zlib's format; some send the bare one.
  [
    'deflate',
    (body, options, done) => (((body[0] ?? 0) & 0x0f) === 8 ? inflate : inflateRaw)(body, options, done),
  ],
]);

/** Null where it cannot be undone, or would become larger than `maxBytes`. */
export function decodeBytes(
  body: Buffer,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Buffer | null> {
  const name = (encoding ?? '').trim().toLowerCase();
  if (name === '' || name === 'identity') return Promise.resolve(body);
  const decode = DECODERS.get(name);
  if (decode === undefined) return Promise.resolve(null);
  return new Promise((resolve) => {
    decode(body, { maxOutputLength: maxBytes }, (error, output) => resolve(error === null ? output : null));
  });
}
