import { pipeline, type Readable, type Transform } from 'node:stream';
import {
  brotliDecompress,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
  gunzip,
  inflate,
  inflateRaw,
  type ZlibOptions,
  zstdDecompress,
} from 'node:zlib';

type Done = (error: Error | null, output: Buffer) => void;
type Decoder = (body: Buffer, options: ZlibOptions, done: Done) => void;

const DECODERS: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['br', (body, { maxOutputLength }, done) => brotliDecompress(body, { maxOutputLength }, done)],
  ['zstd', (body, { maxOutputLength }, done) => zstdDecompress(body, { maxOutputLength }, done)],
  ['deflate', (body, options, done) => (isZlib(body) ? inflate : inflateRaw)(body, options, done)],
]);

/** RFC 9110 8.4.1.2 requires zlib's format; some servers send raw deflate. The low half of byte 0 tells which. */
function isZlib(body: Buffer): boolean {
  return ((body[0] ?? 0) & 0x0f) === 8;
}

export type Decoded =
  | { readonly body: Buffer }
  | { readonly error: 'bad_encoding' | 'too_large' | 'truncated' };

/** Decodes one `Content-Encoding`; stops once the output exceeds `maxBytes`. Repeated or unknown ones are errors. */
export function decodeBody(
  body: Buffer,
  encoding: string | string[] | undefined,
  maxBytes: number,
): Promise<Decoded> {
  const name = nameOf(encoding);
  if (name === '' || name === 'identity') return Promise.resolve({ body });
  const decode = DECODERS.get(name);
  if (decode === undefined) return Promise.resolve({ error: 'bad_encoding' });
  return new Promise((resolve) => {
    decode(body, { maxOutputLength: maxBytes }, (error, output) => {
      if (error === null) resolve({ body: output });
      else resolve({ error: errorFromCode((error as NodeJS.ErrnoException).code) });
    });
  });
}

const nameOf = (encoding: string | string[] | undefined): string =>
  typeof encoding === 'object' ? 'doubled' : (encoding ?? '').trim().toLowerCase();

const STREAM_DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
  ['zstd', createZstdDecompress],
  ['deflate', createInflate],
]);

/** Decodes a body piece by piece as it arrives; null: repeated or unknown encodings. The caller limits its size. */
export function decodeStream(body: Readable, encoding: string | string[] | undefined): Readable | null {
  const name = nameOf(encoding);
  if (name === '' || name === 'identity') return body;
  const decoder = STREAM_DECODERS.get(name)?.();
  // Destroying either end destroys the other; errors arrive at the decoder.
  return decoder === undefined ? null : pipeline(body, decoder, () => {});
}

/** Returns why a body could not be decoded, from the error of a decoder; null: another error. */
export function decodeErrorOf(error: unknown): 'bad_encoding' | 'truncated' | null {
  const { code } = error as NodeJS.ErrnoException;
  if (!/^(?:Z_|ERR__ERROR_|ZSTD_|ERR_BROTLI)/.test(String(code))) return null;
  return code === 'Z_BUF_ERROR' ? 'truncated' : 'bad_encoding';
}

function errorFromCode(code: string | undefined): 'bad_encoding' | 'too_large' | 'truncated' {
  if (code === 'ERR_BUFFER_TOO_LARGE') return 'too_large';
  return code === 'Z_BUF_ERROR' ? 'truncated' : 'bad_encoding';
}
