import { createInflateRaw } from 'node:zlib';
import { type FilePiece, type ReadNested, unread } from './file-text.ts';
import type { Allowance } from './reading-limits.ts';
import { INCOMPLETE_DATA, UnpackedBytes } from './unpack.ts';

/** Optional fields of a member's header, RFC 1952 section 2.3. */
const CHECKED = 0x02;
const EXTRA = 0x04;
const NAMED = 0x08;
const COMMENTED = 0x10;
const FIXED_HEADER_BYTES = 10;
/** Checksum and length of the content. */
const TRAILER_BYTES = 8;

interface Header {
  /** Extra field, name and comment. */
  readonly texts: readonly string[];
  readonly length: number;
}

/** Reads compressed data: the content of all members, as one file, their names and comments, and data after them. */
export async function* readGzip(
  bytes: Buffer,
  allowance: Allowance,
  readNested: ReadNested,
): AsyncGenerator<FilePiece> {
  const unpacked = new UnpackedBytes(allowance);
  let rest = bytes;
  let isBroken = false;
  while (isMember(rest) && !isBroken && !unpacked.isFull) {
    if (allowance.entries-- <= 0) {
      yield unread('too_large', 'it contains more files than the limit');
      return;
    }
    const { texts, length } = readHeader(rest);
    if (texts.length > 0) yield { texts: texts.map((text) => ({ part: 'meta', text })) };
    const packedBytes = await inflate(rest.subarray(length), unpacked);
    isBroken = packedBytes === null;
    rest = rest.subarray(length + (packedBytes ?? 0) + TRAILER_BYTES);
  }
  const { bytes: content, cut } = unpacked.end(isBroken);
  if (content.length > 0) yield* readNested(content);
  if (cut !== null) yield INCOMPLETE_DATA[cut];
  else if (rest.some((byte) => byte !== 0)) yield* readNested(rest);
}

const isMember = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

function readHeader(bytes: Buffer): Header {
  const flags = bytes[3] ?? 0;
  const texts: string[] = [];
  let at = FIXED_HEADER_BYTES;
  const add = (end: number): void => {
    const text = bytes.toString('latin1', at, end).trim();
    if (text !== '') texts.push(text);
  };
  if (flags & EXTRA) {
    const length = bytes.length < at + 2 ? 0 : bytes.readUInt16LE(at);
    at += 2;
    add(at + length);
    at += length;
  }
  for (const field of [NAMED, COMMENTED]) {
    if (!(flags & field)) continue;
    const end = bytes.indexOf(0, at);
    add(end === -1 ? bytes.length : end);
    at = end === -1 ? bytes.length : end + 1;
  }
  return { texts, length: at + (flags & CHECKED ? 2 : 0) };
}

/** Returns the number of packed bytes; null if they are damaged. */
async function inflate(bytes: Buffer, unpacked: UnpackedBytes): Promise<number | null> {
  const stream = createInflateRaw();
  stream.end(bytes);
  try {
    for await (const chunk of stream) if (!unpacked.add(chunk as Buffer)) break;
    return stream.bytesWritten;
  } catch {
    return null;
  }
}
