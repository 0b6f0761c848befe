import { HASH_SEED, HashTable, hashStep, hashWord } from '../lexicon/tables.ts';
import { BLANK, CODE_CLASS, FOLD, NO_BLANKS, SILENT } from '../read/characters.ts';
import { ROLE_NAMES, ROLES } from './roles.ts';

/** Set for a beginning that an entry continues. */
const GOES_ON = 1 << ROLE_NAMES.length;
const ROLE_BITS = GOES_ON - 1;
const WHOLE = 0x5bd1e995;
const SPACE = 32;
/** Entries have at most this many words. */
export const MAX_OPEN = 3;
/** The longest entry of a script without spaces. */
const MAX_RUN = 10;

const wholeOf = (hash: number): number => Math.imul(hash ^ WHOLE, 0x85ebca6b);

/** Set for entries of two letters that longer words begin with. */
const OPEN_ENDED = 2;

interface RoleTable {
  /** Roles by beginning of a word and, through `wholeOf`, by whole word; GOES_ON if an entry continues. */
  readonly entries: HashTable;
  /** One bit for the first three letters of each entry: excludes most words at once. */
  readonly beginnings: Uint8Array;
}

const { entries: table, beginnings: BEGINNINGS } = makeTable();

function makeTable(): RoleTable {
  const bits = new Map<number, number>();
  const add = (key: number, bit: number) => bits.set(key, (bits.get(key) ?? 0) | bit);
  const beginnings = new Uint8Array(1 << 16);
  for (const [index, name] of ROLE_NAMES.entries()) {
    for (const written of ROLES[name].trim().split(/\s+/)) {
      const entry = written.normalize('NFC').replaceAll('_', ' ').replace('$', '');
      const hash = hashWord(entry);
      add(written.endsWith('$') ? wholeOf(hash) : hash, 1 << index);
      noteBeginning(entry, written.endsWith('$'), beginnings);
      for (let length = 1; length <= entry.length; length++) add(hashWord(entry.slice(0, length)), GOES_ON);
    }
  }
  const entries = new HashTable(15);
  for (const [key, value] of bits) entries.set(key, value);
  return { entries, beginnings };
}

function noteBeginning(entry: string, isWhole: boolean, beginnings: Uint8Array): void {
  const [first = 0, second = 0, third = 0] = Array.from(entry, (letter) =>
    letter === ' ' ? 0 : FOLD[letter.charCodeAt(0)]!,
  );
  beginnings[beginning(first, second, second === 0 ? 0 : third)]! |= third === 0 && !isWhole ? OPEN_ENDED : 1;
}

function beginning(first: number, second: number, third: number): number {
  return ((first * 961) ^ (second * 31) ^ third) & 0xffff;
}

/** Returns the letter at an index as it is folded; 0 beyond the word. */
function letterAt(codes: Uint16Array, at: number, to: number): number {
  const code = at < to ? CODE_CLASS[codes[at]!]! : -1;
  return code < 0 ? 0 : code & 0xffff;
}

/** The roles of a sentence, as bits: all of them, and those among its first words. */
export interface SentenceRoles {
  readonly roles: number;
  readonly first: number;
}

/** Words of a sentence that say whom it is for. */
const FIRST_WORDS = 4;

/** Reads the roles of the words in `codes[from, to)`. Linear. `open`: room for the entries that a word may begin. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: rolling hashes over every character of a sentence
export function readRoles(
  codes: Uint16Array,
  from: number,
  to: number,
  open = new Int32Array(MAX_OPEN),
): SentenceRoles {
  let all = 0;
  let first = 0;
  let words = 0;
  let isInWord = false;
  let live = 0;
  for (let i = from; i <= to; i++) {
    const code = i < to ? CODE_CLASS[codes[i]!]! : ~BLANK;
    if (code === ~SILENT) continue;
    let found = 0;
    if (code >= 0) {
      if (!isInWord) {
        isInWord = true;
        words++;
        if (live === MAX_OPEN) {
          open.copyWithin(0, 1);
          live--;
        }
        const second = letterAt(codes, i + 1, to);
        const third = second === 0 ? 0 : letterAt(codes, i + 2, to);
        const isKnown =
          BEGINNINGS[beginning(code & 0xffff, second, third)] !== 0 ||
          (BEGINNINGS[beginning(code & 0xffff, second, 0)]! & OPEN_ENDED) !== 0;
        if (isKnown) open[live++] = HASH_SEED;
      }
      let kept = 0;
      for (let at = 0; at < live; at++) {
        const hash = hashStep(open[at]!, code & 0xffff);
        const bits = table.get(hash);
        if (bits === 0) continue;
        found |= bits;
        open[kept++] = hash;
      }
      live = kept;
      // No entry begins like this word.
      if (live === 0 && found === 0) {
        while (i + 1 < to && CODE_CLASS[codes[i + 1]!]! >= 0) i++;
        continue;
      }
    } else {
      if (isInWord) {
        isInWord = false;
        let kept = 0;
        for (let at = 0; at < live; at++) {
          const hash = open[at]!;
          found |= table.get(wholeOf(hash));
          const next = hashStep(hash, SPACE);
          if (code === ~BLANK && table.get(next) !== 0) open[kept++] = next;
        }
        live = kept;
      } else if (code !== ~BLANK) live = 0;
      if (code === ~NO_BLANKS) {
        words++;
        found |= rolesOfRun(codes, i, to);
      }
    }
    all |= found;
    if (words <= FIRST_WORDS) first |= found;
  }
  return { roles: all & ROLE_BITS, first: first & ROLE_BITS };
}

function rolesOfRun(codes: Uint16Array, from: number, end: number): number {
  let bits = 0;
  let hash = HASH_SEED;
  for (let i = from; i < end && i < from + MAX_RUN; i++) {
    hash = hashStep(hash, CODE_CLASS[codes[i]!]! === ~NO_BLANKS ? codes[i]! : -1);
    const found = table.get(hash);
    if (found === 0) break;
    bits |= found;
  }
  return bits;
}
