import type { Span } from '../../text/index.ts';
import type { Text } from '../read/codes.ts';
import type { Recognizer, Walk } from './recognizer.ts';
import { RECOGNIZERS } from './registry.ts';
import type { PiiSpan } from './spans.ts';

/** The phone library takes some microseconds per number, and a page of digits must not take a second. */
const MAX_PHONE_VALIDATIONS = 200;

const { starts: STARTS, finders: FINDERS } = compileStarts(RECOGNIZERS);
const FINISHERS = RECOGNIZERS.flatMap(({ finish }) => finish ?? []);

/**
 * Finds personal data in `text` in one pass over its characters. `isSpelled`: something in it indicates spelled-out
 * addresses. `keys`: known keys, in order and without overlaps; keys are not searched, and every other value ends
 * before or begins after one. A number may be part of an address.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over every character of a text
export function findPii(
  { string: text, codes }: Text,
  isSpelled: boolean,
  keys: readonly Span[] = [],
): PiiSpan[] {
  const spans: PiiSpan[] = [];
  const { length } = text;
  const walk: Walk = {
    text,
    codes,
    floor: 0,
    ceiling: keys.length === 0 ? length : keys[0]!.start,
    isSpelled,
    phoneValidations: MAX_PHONE_VALIDATIONS,
  };
  const starts = STARTS;
  let key = 0;
  for (let i = 0; i < length; i++) {
    while (i < length && starts[codes[i]!] === 0) i++;
    if (i >= walk.ceiling && i < length) {
      const { end } = keys[key++]!;
      walk.ceiling = keys[key]?.start ?? length;
      walk.floor = Math.max(walk.floor, end);
      i = Math.max(i, end) - 1;
      continue;
    }
    if (i >= length) break;
    const found = FINDERS[starts[codes[i]!]!]!(walk, i);
    if (found === undefined) continue;
    if (found.span !== undefined) {
      spans.push(found.span);
      walk.floor = found.next;
    }
    i = found.next - 1;
  }
  for (const finish of FINISHERS) for (const span of finish(walk)) spans.push(span);
  return spans;
}

interface Starts {
  /** By character the index of the finder to call; 0: none. */
  readonly starts: Uint8Array;
  readonly finders: readonly Recognizer['find'][];
}

function compileStarts(recognizers: readonly Recognizer[]): Starts {
  const starts = new Uint8Array(65_536);
  const finders: Recognizer['find'][] = [() => undefined];
  const numbers = new Map<string, number>();
  const characters = new Set(recognizers.flatMap(({ starts }) => [...starts]));
  for (const character of characters) {
    const here = recognizers.filter(({ starts }) => starts.includes(character));
    const name = here.map((recognizer) => recognizers.indexOf(recognizer)).join();
    let number = numbers.get(name);
    if (number === undefined) {
      number = finders.push(together(here)) - 1;
      numbers.set(name, number);
    }
    starts[character.charCodeAt(0)] = number;
  }
  return { starts, finders };
}

/** Combines recognizers that start at the same character: the first that finds a value wins. */
function together(recognizers: readonly Recognizer[]): Recognizer['find'] {
  if (recognizers.length === 1) return recognizers[0]!.find;
  return (walk, at) => {
    let first: ReturnType<Recognizer['find']>;
    for (const { find } of recognizers) {
      const found = find(walk, at);
      if (found?.span !== undefined) return found;
      first ??= found;
    }
    return first;
  };
}
