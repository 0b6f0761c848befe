import { KIND_MIXED, KIND_NUMBER, KIND_SINGLE, type Reading } from '../read/reading.ts';
import type { Workspace } from '../workspace.ts';
import { type AddDecoded, joinLetters } from './letter-codes.ts';
import { numberCodes } from './sign-codes.ts';

/** So many in a row are no initials and no line of a table. */
const MIN_LETTERS = 8;
const MIN_CODES = 12;
const MAX_ROWS = 4;
const MAX_CHARACTERS = 4_000;

interface OddRow {
  readonly kind: string;
  /** One of them is set for each word of the row. */
  readonly bits: number;
  readonly least: number;
  readonly decode: (row: string, workspace: Workspace) => string | undefined;
}

const ODD_ROWS: readonly OddRow[] = [
  { kind: 'row-of-letters', bits: KIND_SINGLE, least: MIN_LETTERS, decode: joinLetters },
  { kind: 'row-of-codes', bits: KIND_NUMBER | KIND_MIXED, least: MIN_CODES, decode: numberCodes },
];

/**
 * Rows of single letters and of numbers with everyday words around them. It is no disguise of the text, so only what
 * they say counts. `reading` is of `text[from, to)`.
 */
export function decodeOddRows(
  text: string,
  to: number,
  reading: Reading,
  workspace: Workspace,
  add: AddDecoded,
): void {
  const { words, kind, start, single, mixed, numbers } = reading;
  if (single < MIN_LETTERS && numbers + mixed < MIN_CODES) return;
  let rows = 0;
  const addRow = (row: OddRow, first: number, behind: number) => {
    rows++;
    const at = start[first]!;
    const end = Math.min(behind < words ? start[behind]! : to, at + MAX_CHARACTERS);
    add(row.kind, row.decode(text.slice(at, end).trimEnd(), workspace), at, end);
  };
  const lengths = ODD_ROWS.map(() => 0);
  for (let word = 0; word <= words && rows < MAX_ROWS; word++) {
    const bits = word < words ? kind[word]! : 0;
    for (const [index, row] of ODD_ROWS.entries()) {
      const length = lengths[index]!;
      const goesOn = (bits & row.bits) !== 0;
      lengths[index] = goesOn ? length + 1 : 0;
      if (!goesOn && length >= row.least) addRow(row, word - length, word);
    }
  }
}
