import { argumentFields } from './argument-fields.ts';
import type { TracedCall } from './types.ts';

/** An argument of a call with words that could be copied from elsewhere. */
export interface CopiedField {
  readonly call: TracedCall;
  readonly argument: string;
}

const WORD = /[\p{L}\p{N}]+/gu;
/** Words in a row that two texts do not share by chance. */
const RUN = 5;
/** Of an argument that is shorter: its letters and digits as a whole. */
const MIN_CHARACTERS = 4;

/** Finds which arguments repeat words of a text: five in a row, or all of a shorter argument. Linear in every text. */
export function createCopyFinder(
  calls: readonly TracedCall[],
  own: readonly string[],
): { readonly fields: readonly CopiedField[]; readonly find: (text: string) => ReadonlySet<number> } {
  const fields: CopiedField[] = [];
  const runs = new Map<string, Set<number>>();
  const lengths = new Set<number>();
  /** Most words of a text begin no run. */
  const heads = new Set<string>();
  const addRuns = (words: readonly string[], index: number): void => {
    const length = Math.min(RUN, words.length);
    if (length === 0 || words.join('').length < MIN_CHARACTERS) return;
    lengths.add(length);
    for (let at = 0; at + length <= words.length; at++) {
      heads.add(words[at]!);
      const run = runAt(words, at, length);
      const known = runs.get(run);
      if (known === undefined) runs.set(run, new Set([index]));
      else known.add(index);
    }
  };
  for (const call of calls)
    for (const { path, text } of argumentFields(call.arguments)) {
      const index = fields.push({ call, argument: path }) - 1;
      for (const part of partsOf(text)) addRuns(wordsOf(part), index);
    }
  const runsIn = function* (text: string): Generator<string> {
    const words = wordsOf(text);
    for (let at = 0; at < words.length; at++) {
      if (!heads.has(words[at]!)) continue;
      for (const length of lengths) if (at + length <= words.length) yield runAt(words, at, length);
    }
  };
  for (const text of own) for (const run of runsIn(text)) runs.delete(run);
  return {
    fields,
    find: (text) => {
      const found = new Set<number>();
      for (const run of runsIn(text)) for (const index of runs.get(run) ?? []) found.add(index);
      return found;
    },
  };
}

const wordsOf = (text: string): readonly string[] => text.normalize('NFKC').toLowerCase().match(WORD) ?? [];

const runAt = (words: readonly string[], at: number, length: number): string =>
  words.slice(at, at + length).join(' ');

/** The whole text; of an address what each of its parts says, with the escapes taken off. */
function partsOf(text: string): readonly string[] {
  const plain = text.includes('%') ? text.replace(/(?:%[\da-f]{2})+/gi, unescaped) : text;
  if (!text.includes('://')) return [plain];
  return [plain, ...plain.split(/[/?#&=;\s]/).filter((part) => part.length >= MIN_PART)];
}

/** Parts of addresses that are shorter say what everybody writes: `index`, `search`. */
const MIN_PART = 8;

function unescaped(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return ' ';
  }
}
