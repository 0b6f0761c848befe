import type { Accumulator, FrameTemplate, Stream } from './stream-accumulators.ts';

/** Returns the size of everything in the stream except the texts of accumulators. It only grows. */
export function sizeWithoutAccumulators({ rest, labels, identifiers, tokens }: Stream): number {
  return (
    rest.slots.length +
    rest.unscanned.length +
    rest.overflow.length +
    labels.size +
    identifiers.size +
    tokens.text.length +
    tokens.others.size +
    tokens.bytes.length
  );
}

/**
 * Returns the template of a frame whose only effect was to add `text` to `accumulator`. Null if the string is ambiguous
 * in the frame: without a backslash every string is literal in the JSON.
 */
export function templateOf(data: string, accumulator: Accumulator, text: string): FrameTemplate | null {
  if (data.includes('\\')) return null;
  const literal = `"${text}"`;
  const at = data.indexOf(literal);
  if (at === -1 || data.includes(literal, at + 1)) return null;
  return { head: data.slice(0, at + 1), tail: data.slice(at + literal.length - 1), accumulator };
}

/** Adds the text of a frame of this form, without parsing it. False: it has another form, and nothing was added. */
export function addByTemplate({ head, tail, accumulator }: FrameTemplate, data: string): boolean {
  const text = textBetween(head, tail, data);
  if (text === null) return false;
  accumulator.text += text;
  return true;
}

/** Returns the value of the JSON string between this head and tail in `data`. Null: it is not exactly one string. */
export function textBetween(head: string, tail: string, data: string): string | null {
  const end = data.length - tail.length;
  // V8 compares slices in blocks, but `startsWith` by code unit, which takes seven times as long.
  if (end < head.length || data.slice(0, head.length) !== head || data.slice(end) !== tail) return null;
  const text = data.slice(head.length, end);
  if (!NEEDS_PARSING.test(text)) return text;
  try {
    // With unescaped quotation marks the text is not valid JSON.
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return null;
  }
}

/** Characters that end a JSON string, start an escape, or are not allowed in one. */
const NEEDS_PARSING = /["\\\u0000-\u001f]/;
