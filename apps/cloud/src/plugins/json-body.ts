import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib';
import { CodedError } from '@csg/shared/contract';
import {
  decodeUtf8,
  type JsonBounds,
  parseStrictJsonInSteps,
  parseStrictJsonText,
  type Steps,
} from '@csg/shared/text';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PacedTurns } from '../fairness/paced-turns.ts';
import { ownerOf } from './owner-of.ts';

/** A proxied body: its bytes as the provider will read them, and the parsed value. */
export interface RawJsonBody {
  readonly bytes: Buffer;
  readonly value: unknown;
  /** `bytes` as text. */
  readonly source: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The decoded bytes of the body, for fingerprints. */
    bytes: Buffer | null;
  }
  interface FastifyContextConfig {
    /** Members of the body for which null resets the value and differs from absent. */
    preservedNulls?: readonly string[];
  }
}

/** Returns the source text of the body. */
export function sourceOf({ bytes }: FastifyRequest): () => string {
  return () => bytes?.toString('utf8') ?? '';
}

const DECODERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
} as const;

/** Devices send larger reports in parts (docs/devices.md). */
const DEVICE_BYTES = 1_048_576;
const DEVICE_TOO_LARGE = `The request body of a device may have at most ${DEVICE_BYTES} bytes. Send it in parts.`;

/**
 * Parses bodies strictly: UTF-8 JSON without duplicate members, within the limit also after decompression.
 * Accepts at most 1 MiB from a device. `raw` gives routes a RawJsonBody, `typed` the value without nulls
 * (null and absent are equal).
 */
export function registerJsonBody(
  app: FastifyInstance,
  mode: 'raw' | 'typed',
  limitBytes: number,
  turns: PacedTurns,
  types: readonly string[] = ['application/json'],
): void {
  app.addHook('preParsing', (request, reply, payload, done) => {
    const length = Number(request.headers['content-length'] ?? 0);
    if (isDevice(request) && length > DEVICE_BYTES) return done(tooLargeForDevice());
    if (length <= limitBytes) return done(null, payload);
    // Fastify does the same, but its error does not know the limit.
    reply.header('Connection', 'close');
    done(tooLarge(limitBytes));
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    [...types],
    { parseAs: 'buffer', bodyLimit: limitBytes },
    (request: FastifyRequest, sent: Buffer, done) => {
      // Not async: most bodies are small and uncompressed, and are parsed without waiting for another turn.
      if (request.headers['content-encoding'] !== undefined || sent.length >= LARGE_BYTES) {
        readInTurns(request, sent).then((body) => done(null, body), done);
        return;
      }
      let body: unknown;
      try {
        checkCharset(request.headers['content-type'] ?? '');
        request.bytes = sent;
        const source = decodeUtf8(sent);
        body = isAbsent(sent)
          ? undefined
          : bodyOf(request, sent, source, parseStrictJsonText(source, REQUEST_BOUNDS));
      } catch (error) {
        return done(error as Error);
      }
      done(null, body);
    },
  );

  async function readInTurns(request: FastifyRequest, sent: Buffer): Promise<unknown> {
    checkCharset(request.headers['content-type'] ?? '');
    const isTooLarge = (size: number): boolean => isDevice(request) && size > DEVICE_BYTES;
    // Bodies without a Content-Length, or compressed ones.
    if (isTooLarge(sent.length)) throw tooLargeForDevice();
    const bytes = await decode(sent, request.headers['content-encoding'], limitBytes);
    if (isTooLarge(bytes.length)) throw tooLargeForDevice();
    request.bytes = bytes;
    if (isAbsent(bytes)) return undefined;
    const body = await turns.run(ownerOf(request), parseInSteps(request, bytes));
    // The work of the route runs in another turn.
    await nextTurn();
    return body;
  }

  function* parseInSteps(request: FastifyRequest, bytes: Buffer): Steps<unknown> {
    yield;
    // Other requests may have used up the capacity meanwhile: then the body is not parsed for nothing.
    request.requireRoom?.();
    const source = decodeUtf8(bytes);
    yield;
    return bodyOf(request, bytes, source, yield* parseStrictJsonInSteps(source, REQUEST_BOUNDS));
  }

  const isAbsent = (bytes: Buffer): boolean => bytes.length === 0 && mode === 'typed';

  function bodyOf(request: FastifyRequest, bytes: Buffer, source: string, value: unknown): unknown {
    return mode === 'raw'
      ? ({ bytes, value, source } satisfies RawJsonBody)
      : withoutNulls(value, request.routeOptions.config.preservedNulls);
  }
}

/** Signed-in people and directories have no principal. */
function isDevice({ principal }: FastifyRequest): boolean {
  return typeof principal?.deviceId === 'string';
}

function tooLarge(limitBytes: number): CodedError {
  const message = `The body is too large: at most ${limitBytes} bytes are accepted, also after decompression.`;
  return new CodedError('payload_too_large', { message });
}

function tooLargeForDevice(): CodedError {
  return new CodedError('payload_too_large', { message: DEVICE_TOO_LARGE });
}

/** More than a conversation of a million tokens in small messages has; more would block the event loop for long. */
const REQUEST_BOUNDS: JsonBounds = { members: 40_000, items: 60_000 };
/** From this size on the steps of parsing are paced, so that other requests are served in between. */
const LARGE_BYTES = 256 * 1024;

/** JSON is UTF-8 (RFC 8259, section 8.1); with another label the provider could read other text than was scanned. */
function checkCharset(contentType: string): void {
  const named = contentType.split(/charset/i).length - 1;
  if (named === 0) return;
  const isUtf8 = /;\s*charset\s*=\s*(?:utf-?8|"utf-?8")\s*(?:;|$)/i.test(contentType);
  // With two charsets, two parsers could each use a different one.
  if (named > 1 || !isUtf8) throw new CodedError('unsupported_media_type');
}

async function decode(bytes: Buffer, encoding: string | undefined, limitBytes: number): Promise<Buffer> {
  const name = encoding?.trim().toLowerCase();
  if (name === undefined || name === 'identity') return bytes;
  if (!Object.hasOwn(DECODERS, name)) {
    throw new CodedError('unsupported_media_type', {
      message: `Use one content encoding: gzip, deflate, br or zstd.`,
    });
  }
  try {
    return await DECODERS[name as keyof typeof DECODERS](bytes, { maxOutputLength: limitBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(limitBytes);
    throw new CodedError('invalid_request', { message: `The body could not be decoded as ${name}.` });
  }
}

/**
 * Removes null members in place, at any depth that the strict parser allows. Keeps array items, and top-level
 * members that are `preserved`.
 */
function withoutNulls(value: unknown, preserved: readonly string[] = []): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    if (members[name] !== null) withoutNulls(members[name]);
    else if (!Array.isArray(value) && !preserved.includes(name)) delete members[name];
  }
  return value;
}
