import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions, zstdDecompress } from 'node:zlib';

type Decoder = (
  body: Uint8Array,
  options: ZlibOptions,
  done: (error: Error | null, output: Buffer) => void,
) => void;

const DECODERS: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['br', (body, { maxOutputLength }, done) => brotliDecompress(body, { maxOutputLength }, done)],
  ['zstd', (body, { maxOutputLength }, done) => zstdDecompress(body, { maxOutputLength }, done)],
  // RFC 9110 8.4.1.2 means zlib's format; some send raw deflate.
  [
    'deflate',
    (body, options, done) => (((body[0] ?? 0) & 0x0f) === 8 ? inflate : inflateRaw)(body, options, done),
  ],
]);

/** Returns null if the body cannot be decoded, or would become larger than `maxBytes`. */
export function decodeBytes(
  body: Uint8Array,
  encoding: string,
  maxBytes: number,
): Promise<Uint8Array | null> {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return Promise.resolve(body);
  const decode = DECODERS.get(name);
  if (decode === undefined) return Promise.resolve(null);
  return new Promise((resolve) => {
    decode(body, { maxOutputLength: maxBytes }, (error, output) => resolve(error === null ? output : null));
  });
}
