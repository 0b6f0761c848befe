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
