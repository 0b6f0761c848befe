import type { Steps } from '../text/index.ts';
import { argumentFields } from './argument-fields.ts';
import type { ValueFinder } from './find-values.ts';
import type { TracedCall } from './types.ts';

/** An argument of a call with words that may be copied from another text. */
export interface CopiedField {
  readonly call: TracedCall;
  readonly argument: string;
}

const WORD = /[\p{L}\p{N}]+/gu;
/** Number of consecutive words that two texts do not share by chance. */
const RUN = 5;
/** Minimum length of the letters and digits of a shorter argument, which is compared as a whole. */
const MIN_CHARACTERS = 4;

/** Finds the arguments that repeat five consecutive words of a text, or all of a shorter one. Linear in each text. */
export function* createCopyFinder(
  calls: readonly TracedCall[],
  own: readonly string[],
): Steps<{ readonly fields: readonly CopiedField[]; readonly find: ValueFinder }> {
  const fields: CopiedField[] = [];
  const runs = new Map<string, Set<number>>();
  const lengths = new Set<number>();
  /** Most words of a text are not the first of a run. */
  const heads = new Set<string>();
  const addRuns = function* (words: readonly string[], index: number): Steps<void> {
    const length = Math.min(RUN, words.length);
    if (length === 0 || words.join('').length < MIN_CHARACTERS) return;
    lengths.add(length);
    for (let at = 0; at + length <= words.length; at++) {
      heads.add(words[at]!);
      const run = runAt(words, at, length);
      const known = runs.get(run);
      if (known === undefined) runs.set(run, new Set([index]));
      else known.add(index);
      if (at % STRIDE === 0) yield;
    }
  };
  for (const call of calls)
    for (const { path, text } of yield* argumentFields(call.arguments)) {
      const index = fields.push({ call, argument: path }) - 1;
      for (const part of partsOf(text)) yield* addRuns(wordsOf(part), index);
    }
  const withRuns = function* (text: string, each: (run: string) => void): Steps<void> {
    const words = wordsOf(text);
    for (let at = 0; at < words.length; at++) {
      if (at % STRIDE === 0) yield;
      if (!heads.has(words[at]!)) continue;
      for (const length of lengths) if (at + length <= words.length) each(runAt(words, at, length));
    }
  };
  for (const text of own) yield* withRuns(text, (run) => runs.delete(run));
  return {
    fields,
    *find(text) {
      const found = new Set<number>();
      yield* withRuns(text, (run) => {
        for (const index of runs.get(run) ?? []) found.add(index);
      });
      return found;
    },
  };
}

const wordsOf = (text: string): readonly string[] => text.normalize('NFKC').toLowerCase().match(WORD) ?? [];

/** Words between two pauses. */
const STRIDE = 256;

const runAt = (words: readonly string[], at: number, length: number): string =>
  words.slice(at, at + length).join(' ');

/** Returns the whole text; for an address its unescaped parts. */
function partsOf(text: string): readonly string[] {
  const plain = text.includes('%') ? text.replace(/(?:%[\da-f]{2})+/gi, unescaped) : text;
  if (!text.includes('://')) return [plain];
  return [plain, ...plain.split(/[/?#&=;\s]/).filter((part) => part.length >= MIN_PART)];
}

/** Shorter parts of addresses are common words: `index`, `search`. */
const MIN_PART = 8;

function unescaped(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return ' ';
  }
}
