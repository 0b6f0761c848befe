import { CHAR_CLASS, FOLD, NO_BLANKS } from '../read/characters.ts';
import { ACTION_CONCEPTS } from './concepts-actions.ts';
import { COMMON_CONCEPTS } from './concepts-common.ts';
import { FURTHER_LANGUAGES } from './concepts-languages.ts';
import { ORDER_CONCEPTS } from './concepts-orders.ts';
import { TOPIC_CONCEPTS } from './concepts-topics.ts';
import { TURN_CONCEPTS } from './concepts-turns.ts';
import { FUNCTION_WORDS, REQUEST_VERBS } from './function-words.ts';

export const HASH_SEED = 0x811c9dc5 | 0;
export const HASH_PRIME = 0x01000193;

export function hashStep(hash: number, code: number): number {
  return Math.imul(hash ^ code, HASH_PRIME);
}

/** Joins two hashes; depends on their order. */
export function joinHash(left: number, right: number): number {
  return Math.imul((left ^ (right >>> 15) ^ (right << 7)) + 0x9e3779b9, 0x85ebca6b) ^ (right >>> 3);
}

/** Number of words in a HashTable's filter; each has 32 bits. */
const FILTER_WORDS = 1 << 12;
export const FILTER_MASK = FILTER_WORDS - 1;

/** A map of 32-bit keys to numbers with open addressing; 0 means absent. */
export class HashTable {
  /** A key and its value are adjacent, so that a lookup touches one cache line. */
  private readonly cells: Int32Array;
  private readonly mask: number;
  /** One bit per low bits of a key: excludes most lookups immediately. Small, to fit into the L1 cache. */
  readonly filter = new Int32Array(FILTER_WORDS);

  constructor(bits: number) {
    this.cells = new Int32Array(2 << bits);
    this.mask = (1 << bits) - 1;
  }

  /** Sets a value. Bytes of an earlier value for the key are kept; missing ones are added. */
  set(key: number, value: number): void {
    this.filter[(key >>> 5) & FILTER_MASK]! |= 1 << key;
    let slot = (key ^ (key >>> 15)) & this.mask;
    while (this.cells[slot * 2 + 1] !== 0 && this.cells[slot * 2] !== key) slot = (slot + 1) & this.mask;
    this.cells[slot * 2] = key;
    for (const byte of [0xff, 0xff00, 0xff0000]) {
      if ((this.cells[slot * 2 + 1]! & byte) === 0) this.cells[slot * 2 + 1]! |= value & byte;
    }
  }

  get(key: number): number {
    if (((this.filter[(key >>> 5) & FILTER_MASK]! >>> key) & 1) === 0) return 0;
    const { cells, mask } = this;
    let slot = (key ^ (key >>> 15)) & mask;
    for (;;) {
      const value = cells[slot * 2 + 1]!;
      if (value === 0 || cells[slot * 2] === key) return value;
      slot = (slot + 1) & mask;
    }
  }
}

/** If two meanings share a word, the first keeps it. */
const CONCEPTS: Readonly<Record<string, string>> = {
  ...COMMON_CONCEPTS,
  ...TURN_CONCEPTS,
  ...ORDER_CONCEPTS,
  ...ACTION_CONCEPTS,
  ...TOPIC_CONCEPTS,
};

export const CONCEPT_NAMES: readonly string[] = ['', ...Object.keys(CONCEPTS)];

/** 1 for meanings that are common in all texts: they count only in combination with others. */
export const IS_LIGHT = new Uint8Array(256);
for (const [index, name] of CONCEPT_NAMES.entries()) {
  if (name in COMMON_CONCEPTS || name in TOPIC_CONCEPTS) IS_LIGHT[index] = 1;
}

/** Whole words: the concept in the low byte, the number of the function word or VERB above it. */
export const wholeWords = new HashTable(14);
/** Beginnings of words. */
export const stems = new HashTable(12);
/** Phrases of up to four words: the concept, and PHRASE_GOES_ON if a longer one begins with them. */
export const phrases = new HashTable(12);
export const PHRASE_GOES_ON = 0x100;
/** Entries of scripts without spaces, and their prefixes, which have the value 0xffff. */
export const runs = new HashTable(13);
export const RUN_GOES_ON = 0xffff;
/** Greater than the numbers of all function words. */
export const VERB = 255;

export function hashWord(word: string): number {
  let hash = HASH_SEED;
  for (let i = 0; i < word.length; i++) hash = hashStep(hash, FOLD[word.charCodeAt(i)]!);
  return hash;
}

function isRun(entry: string): boolean {
  return CHAR_CLASS[entry.charCodeAt(0)] === NO_BLANKS;
}

const runEntries: [string, number][] = [];
for (const [index, name] of CONCEPT_NAMES.entries()) {
  if (CONCEPTS[name] === undefined) continue;
  const line = `${CONCEPTS[name]} ${FURTHER_LANGUAGES[name] ?? ''}`;
  for (const written of line.split(/\s+/)) {
    const entry = written.normalize('NFC');
    if (entry === '') continue;
    if (isRun(entry)) runEntries.push([entry.replace(/[*_]/g, ''), index]);
    else if (entry.includes('_')) {
      const words = entry
        .replace('*', '')
        .split('_')
        .filter((word) => word !== '');
      const hashes = words.map(hashWord);
      phrases.set(hashes.reduce(joinHash), index);
      for (let known = 2; known < words.length; known++)
        phrases.set(hashes.slice(0, known).reduce(joinHash), PHRASE_GOES_ON);
    } else if (entry.endsWith('*')) stems.set(hashWord(entry.slice(0, -1)), index);
    else wholeWords.set(hashWord(entry), index);
  }
}
for (const [entry, index] of runEntries) runs.set(hashWord(entry), index);
// Prefixes come second and only where there is no entry, because `set` adds bits to an existing one.
for (const [entry] of runEntries) {
  let hash = HASH_SEED;
  for (let i = 0; i + 1 < entry.length; i++) {
    hash = hashStep(hash, FOLD[entry.charCodeAt(i)]!);
    if (runs.get(hash) === 0) runs.set(hash, RUN_GOES_ON);
  }
}
for (const [index, word] of FUNCTION_WORDS.entries())
  wholeWords.set(hashWord(word), Math.min(index + 1, VERB - 1) << 8);
for (const word of REQUEST_VERBS) wholeWords.set(hashWord(word), VERB << 8);
