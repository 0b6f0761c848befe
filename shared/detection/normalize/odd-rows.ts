import { KIND_MIXED, KIND_NUMBER, KIND_SINGLE, type TokenizedText } from '../read/tokenized-text.ts';
import type { Workspace } from '../workspace.ts';
import { type AddDecoded, joinLetters } from './letter-codes.ts';
import { numberCodes } from './sign-codes.ts';

/** Shorter rows may be initials or a line of a table. */
const MIN_LETTERS = 8;
const MIN_CODES = 12;
const MAX_ROWS = 4;
const MAX_CHARACTERS = 4_000;

/**
 * Decodes rows of single letters and of numbers within ordinary text. They do not disguise the whole text, so only
 * their content counts. `reading` is of `text[from, to)`.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the words of every text, without a list for each
export function decodeOddRows(
  text: string,
  to: number,
  reading: TokenizedText,
  workspace: Workspace,
  add: AddDecoded,
): void {
  const { words, kind, start, single, mixed, numbers } = reading;
  if (single < MIN_LETTERS && numbers + mixed < MIN_CODES) return;
  let rows = 0;
  const addRow = (
    kind: string,
    first: number,
    behind: number,
    decode: (row: string) => string | undefined,
  ) => {
    rows++;
    const at = start[first]!;
    const end = Math.min(behind < words ? start[behind]! : to, at + MAX_CHARACTERS);
    add(kind, decode(text.slice(at, end).trimEnd()), at, end);
  };
  let letters = 0;
  let codes = 0;
  for (let word = 0; word <= words && rows < MAX_ROWS; word++) {
    const bits = word < words ? kind[word]! : 0;
    if (bits === 0 && letters === 0 && codes === 0) continue;
    if ((bits & KIND_SINGLE) !== 0) letters++;
    else {
      if (letters >= MIN_LETTERS) addRow('row-of-letters', word - letters, word, joinLetters);
      letters = 0;
    }
    if ((bits & (KIND_NUMBER | KIND_MIXED)) !== 0) codes++;
    else {
      if (codes >= MIN_CODES)
        addRow('row-of-codes', word - codes, word, (row) => numberCodes(row, workspace));
      codes = 0;
    }
  }
}
