import type { Accumulator, FrameTemplate, Stream } from './stream-accumulators.ts';

/** Everything but a strand's text that a frame can add to. It only ever grows. */
export function sizeBesideAccumulators({ rest, labels, identifiers, tokens }: Stream): number {
  return (
    rest.slots.length +
    rest.unscanned.length +
    rest.overflow.length +
    labels.size +
    identifiers.size +
    tokens.text.length +
    tokens.others.size
  );
}

/**
 * The form of a frame that did nothing but add `text` to `accumulator`. Null where it cannot be told which of its strings
 * that was: without a backslash each stands in the JSON as it is.
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

/** What a JSON string says that stands in `data` between this head and this tail. Null: nothing, or more than that string. */
export function textBetween(head: string, tail: string, data: string): string | null {
  const end = data.length - tail.length;
  // Slices: V8 compares them in blocks, `startsWith` code by code, which takes seven times as long.
  if (end < head.length || data.slice(0, head.length) !== head || data.slice(end) !== tail) return null;
  const text = data.slice(head.length, end);
  if (!NEEDS_PARSING.test(text)) return text;
  try {
    // Of a text with quotation marks that are not escaped this is no JSON.
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return null;
  }
}

/** What ends a JSON string, begins an escape, or may not stand in one. */
const NEEDS_PARSING = /["\\\u0000-\u001f]/;
