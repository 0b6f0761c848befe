import { closingQuote } from './json-literals.ts';
import type { Steps } from './steps.ts';

/** Characters that are parsed between two pauses. */
const PART = 16_384;
/** Deeper texts are parsed at once: each part repeats what is open around it. */
const MAX_DEPTH = 1_000;

/** Returns whether a text is JSON: parses it in parts, which end at commas, each with what is open around it. */
export function* isJsonInSteps(text: string): Steps<boolean> {
  if (text.length <= PART) return parses(text);
  const open: string[] = [];
  let before = '';
  let from = 0;
  for (let end = nextComma(text, PART, 0, open); end !== -1; end = nextComma(text, from + PART, from, open)) {
    if (!parses(before + text.slice(from, end) + closing(open))) return false;
    before = opening(open);
    from = end + 1;
    yield;
  }
  return parses(before + text.slice(from));
}

/** Returns the first comma behind `least` and outside of strings; -1: none. Reads from `from`, and notes what is open. */
function nextComma(text: string, least: number, from: number, open: string[]): number {
  for (let at = from; at < text.length; at++) {
    const sign = text[at]!;
    if (sign === '"') {
      at = closingQuote(text, at);
      if (at === -1) return -1;
    } else if (sign === '[' || sign === '{') open.push(sign);
    else if (sign === ']' || sign === '}') open.pop();
    else if (sign === ',' && at >= least && open.length <= MAX_DEPTH) return at;
  }
  return -1;
}

/** Returns the beginning of containers, the innermost with an item: behind it a comma needs another one. */
function opening(open: readonly string[]): string {
  const outer = open.slice(0, -1).map((sign) => (sign === '{' ? '{"":' : sign));
  return `${outer.join('')}${open.at(-1) === '{' ? '{"":0,' : '[0,'}`;
}

const closing = (open: readonly string[]): string =>
  open
    .map((sign) => (sign === '{' ? '}' : ']'))
    .toReversed()
    .join('');

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
