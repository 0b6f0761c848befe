import protobuf from 'protobufjs/minimal.js';

/** A text of a message; its path consists of field numbers: `/1/3`. */
export interface FieldText {
  readonly path: string;
  readonly text: string;
}

export interface MessageTexts {
  readonly texts: readonly FieldText[];
  /** True if a part is neither text nor a message. */
  readonly hasBytes: boolean;
}

const MAX_DEPTH = 24;
/** Maximum size of binary digests and ids; shorter than any relevant text. */
const MAX_ID_BYTES = 64;
/** Limit for reading bytes both as a text and as a message, as a multiple of the body's size. */
const MAX_REPEATS = 8;
const LENGTH_DELIMITED = 2;
const CONTROLS = /[^\P{Cc}\t\n\r]/u;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Returns every text of a protobuf message without its schema: a field that could be both a text and a message is read
 * as both. Null: it is not a message, or nested too deeply.
 */
export function protobufTexts(message: Uint8Array): MessageTexts | null {
  const texts: FieldText[] = [];
  const left = { bytes: (MAX_REPEATS + 1) * message.length };
  const read = readMessage(message, '', 0, texts, left);
  return read === null ? null : { texts, hasBytes: read.hasBytes };
}

interface Left {
  bytes: number;
}

/** Returns null if it is not a message; nothing is added then. */
function readMessage(
  bytes: Uint8Array,
  path: string,
  depth: number,
  texts: FieldText[],
  left: Left,
): Pick<MessageTexts, 'hasBytes'> | null {
  left.bytes -= bytes.length;
  if (depth > MAX_DEPTH || left.bytes < 0) return null;
  const first = texts.length;
  const reader = new protobuf.Reader(bytes);
  let hasBytes = false;
  try {
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      if (tag >>> 3 === 0) throw new RangeError('There is no field 0.');
      if ((tag & 7) === LENGTH_DELIMITED) {
        const at = `${path}/${tag >>> 3}`;
        hasBytes = readField(reader.bytes(), at, depth + 1, texts, left) || hasBytes;
      } else reader.skipType(tag & 7);
    }
    return { hasBytes };
  } catch {
    texts.length = first;
    return null;
  }
}

/** Returns true if a part is neither text nor a message. */
function readField(bytes: Uint8Array, path: string, depth: number, texts: FieldText[], left: Left): boolean {
  const text = textOf(bytes);
  if (text !== null && text !== '') texts.push({ path, text });
  const nested = bytes.length < 2 ? null : readMessage(bytes, path, depth, texts, left);
  if (text !== null) return false;
  return nested === null ? bytes.length > MAX_ID_BYTES : nested.hasBytes;
}

function textOf(bytes: Uint8Array): string | null {
  try {
    const text = utf8.decode(bytes);
    return CONTROLS.test(text) ? null : text;
  } catch {
    return null;
  }
}
