/** The encoding of a stream's frames as bytes. */
export interface Framing {
  /** Returns the end of the frame that begins at `start`; -1: it is incomplete. There is no end before `searched`. */
  endOfFrame(bytes: Buffer, start: number, searched: number): number;
  /** Returns the text of a frame, as events with line feeds only; null if it cannot be decoded. */
  read(frame: Buffer): string | null;
  /** Returns the part of a frame that can be rewritten, as an event. */
  sourceOf(frame: Buffer): string;
  /** Returns the frame with another source, in the encoding of its clients. */
  rewrite(frame: Buffer, source: string): Buffer;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Server-sent events. */
export const eventFraming: Framing = {
  /** Returns the offset after the first empty line. Other line ends are not supported: such a stream is held. */
  endOfFrame(bytes, start, searched) {
    for (
      let at = bytes.indexOf(LINE_FEED, Math.max(start, searched));
      at !== -1;
      at = bytes.indexOf(LINE_FEED, at + 1)
    ) {
      if (bytes[at + 1] === LINE_FEED) return at + 2;
      if (bytes[at + 1] === CARRIAGE_RETURN && bytes[at + 2] === LINE_FEED) return at + 3;
    }
    return -1;
  },
  read(frame) {
    try {
      const text = utf8.decode(frame);
      // A byte order mark is only allowed at the start of the whole stream, which is not known here.
      if (text.charCodeAt(0) === 0xfeff) return null;
      return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
    } catch {
      return null;
    }
  },
  sourceOf: (frame) => frame.toString(),
  rewrite: (_frame, source) => Buffer.from(source),
};

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Members that both halves may repeat: names, indexes, padding, and running totals. */
const REPEATABLE = new Set(
  (
    'id object created model type index system_fingerprint service_tier native_finish_reason provider ' +
    'responseId modelVersion createTime usageMetadata contentBlockIndex p'
  ).split(' '),
);
/** Members that contain the delta. */
const CONTAINERS = new Set(['choices', 'delta', 'candidates', 'content', 'parts', 'reasoningContent']);

/**
 * Splits a frame of an event stream into two, with `piece` up to `at` and the rest of it as their deltas. Null if the
 * frame contains more than that delta, numbers its events, or escapes the delta in a different way.
 */
export function cutFrame(frame: string, piece: string, at: number): readonly [string, string] | null {
  const lines = /^(?:event: ?[\w.]+\n)?data: ?(\{.*\})\n\n$/.exec(frame);
  if (lines === null) return null;
  const literal = JSON.stringify(piece);
  const start = frame.indexOf(literal);
  if (start === -1 || frame.includes(literal, start + 1) || !isOnlyDelta(lines[1]!, piece)) return null;
  const head = frame.slice(0, start);
  const tail = frame.slice(start + literal.length);
  // Does not split a surrogate pair.
  const end = isHighSurrogate(piece.charCodeAt(at - 1)) ? at - 1 : at;
  if (end <= 0 || end >= piece.length) return null;
  return [
    `${head}${JSON.stringify(piece.slice(0, end))}${tail}`,
    `${head}${JSON.stringify(piece.slice(end))}${tail}`,
  ];
}

function isOnlyDelta(json: string, piece: string): boolean {
  let pieces = 0;
  const isPlain = (value: unknown, name: string): boolean => {
    if (value === piece && !REPEATABLE.has(name)) return ++pieces === 1;
    if (value === null || REPEATABLE.has(name)) return true;
    if (Array.isArray(value)) return value.every((one) => isPlain(one, name));
    if (typeof value !== 'object') return name === 'role' && value === 'model';
    return Object.entries(value).every(
      ([key, inner]) =>
        (typeof inner !== 'object' || inner === null || CONTAINERS.has(key) || REPEATABLE.has(key)) &&
        isPlain(inner, key),
    );
  };
  try {
    return isPlain(JSON.parse(json), '') && pieces === 1;
  } catch {
    return false;
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
