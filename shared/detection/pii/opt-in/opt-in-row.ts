import type { Reach } from '../../reach.ts';
import { matchAt } from '../../read/match-at.ts';
import { isWordish } from '../char-class.ts';
import type { PiiSpan } from '../spans.ts';

/** A type of personal data that is detected only if a policy names it: a row of the registry. */
export interface OptInRow {
  readonly type: string;
  /** What redaction writes in place of a value. */
  readonly placeholder: `[${string}]`;
  /** One sentence for a person; without the value. */
  readonly reason: string;
  /** Returns the values in a text; linear in it. */
  readonly find: (text: string) => PiiSpan[];
  /**
   * A value with the words that name it is never longer than `before`, and text more than `after` beyond its first
   * character changes nothing.
   */
  readonly reach: Reach;
}

/** True if a value may begin here: the character before is not part of a word or number. */
export function mayBegin(text: string, at: number): boolean {
  return !isWordish(text, at - 1);
}

/** True if a value may end here: no word, decimal or file name continues. */
export function mayEnd(text: string, at: number): boolean {
  return !isWordish(text, at) && !(text[at] === '.' && /[a-z\d]/.test(text[at + 1] ?? ''));
}

/** Values after words that name them. */
export interface NamedValues {
  /** Global: the words. */
  readonly words: RegExp;
  /** Sticky: the text between. */
  readonly between: RegExp;
  /** Sticky: the value. */
  readonly value: RegExp;
  readonly accepts?: (value: string, word: string) => boolean;
}

/** Returns the start and end of each value. Words and values that are part of a longer word are skipped. */
export function valuesAfterWords(
  text: string,
  { words, between, value, accepts }: NamedValues,
): [number, number][] {
  const found: [number, number][] = [];
  for (const { 0: word, index } of text.matchAll(words)) {
    const start = index + word.length + (matchAt(between, text, index + word.length)?.[0].length ?? 0);
    const match = matchAt(value, text, start)?.[0];
    if (match === undefined || !mayEnd(text, start + match.length)) continue;
    if (accepts?.(match, word) !== false) found.push([start, start + match.length]);
  }
  return found;
}
