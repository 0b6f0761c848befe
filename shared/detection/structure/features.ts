import { CONCEPT_NAMES } from '../lexicon/tables.ts';
import { mix } from '../model/ngrams.ts';
import { COMMAND, OBLIGATION, POLITE_COMMAND, PROHIBITION } from '../model/sentence-type.ts';
import type { TokenizedText } from '../read/tokenized-text.ts';
import { ROLE_NAMES, type Role } from './roles.ts';
import { type SentenceMemory, SYMBOLS } from './sentences.ts';

/** The number of weights: those of roles and symbols have places of their own, words are hashed into the rest. */
export const STRUCTURE_SIZE = 1 << 16;
const ROLES = ROLE_NAMES.length;
/** The most features of a sentence. */
const MAX_FEATURES = 2_048;
/** Sentences behind a sentence that may go on with its order. */
const BEHIND = 2;

const bitsOf = (...names: readonly Role[]): number =>
  names.reduce((bits, name) => bits | (1 << ROLE_NAMES.indexOf(name)), 0);
const ASSISTANT = bitsOf('assistant');
const USER = bitsOf('user');
const TELL = bitsOf('tell');
const ALONE = bitsOf('assistant', 'silent');
const READER = bitsOf('reader');
const AT_READING = bitsOf('reads', 'condition', 'note');
const VOID = bitsOf('void');
const AUTHORITY = bitsOf('authority');
/** Roles that planted orders have and other sentences rarely. */
const KEYS = (['assistant', 'silent', 'void', 'authority', 'user', 'reader', 'note'] as const).map((name) =>
  ROLE_NAMES.indexOf(name),
);

const NOT = 1;
const RULES = 2;
const IGNORE = 4;
const TRAITS = new Uint8Array(256);
for (const [trait, names] of [
  [NOT, 'not without refuse'],
  [RULES, 'instruction prompt previous system restriction'],
  [IGNORE, 'ignore'],
] as const)
  for (const name of names.split(' ')) TRAITS[CONCEPT_NAMES.indexOf(name)] = trait;

/** True for a sentence of the words `[from, to)` that may be part of a planted order. */
export function isSuspect(roles: number, concepts: Uint8Array, from: number, to: number): boolean {
  if ((roles & ALONE) !== 0) return true;
  if ((roles & READER) !== 0 && (roles & AT_READING) !== 0) return true;
  let traits = 0;
  for (let word = from; word < to; word++) traits |= TRAITS[concepts[word]!]!;
  if ((roles & USER) !== 0 && (roles & TELL) !== 0 && (traits & NOT) !== 0) return true;
  const isVoid = (roles & VOID) !== 0 || (traits & IGNORE) !== 0;
  return (
    (isVoid && (roles & USER) !== 0) || ((traits & RULES) !== 0 && (isVoid || (roles & AUTHORITY) !== 0))
  );
}

/** Values of what the whole text is like. */
const TEXTS = 20;
/** Where the weights of each kind of feature begin. */
const SYMBOL = 0;
const ROLE = SYMBOL + SYMBOLS;
const ROLE_SYMBOL = ROLE + ROLES;
const TWO_ROLES = ROLE_SYMBOL + ROLES * SYMBOLS;
const THREE_ROLES = TWO_ROLES + ROLES * ROLES;
const OPENING = THREE_ROLES + ROLES ** 3;
const OPENING_ROLE = OPENING + ROLES;
const NEXT_ROLE = OPENING_ROLE + ROLES * ROLES;
const NEXT_SYMBOL = NEXT_ROLE + KEYS.length * ROLES;
const LAST_ROLE = NEXT_SYMBOL + KEYS.length * SYMBOLS;
const TEXT = LAST_ROLE + KEYS.length * ROLES;
const TEXT_KEY = TEXT + TEXTS;
const FIRST_SENTENCE = TEXT_KEY + KEYS.length * TEXTS;
const LAST_SENTENCE = FIRST_SENTENCE + 1;
const WORDS = LAST_SENTENCE + 1;
const PLACES_OF_WORDS = STRUCTURE_SIZE - WORDS;
const SPREAD = 31;

/** The features of one sentence, as indexes of weights. */
export class FeatureBuffer {
  count = 0;
  readonly entries = new Int32Array(MAX_FEATURES);

  add(place: number): void {
    if (this.count < MAX_FEATURES) this.entries[this.count++] = place;
  }
}

/** What the whole text is like: how often it speaks of assistants and users, its length, its share of orders. */
export function symbolsOfText(
  memory: SentenceMemory,
  suspects: readonly number[],
  { sentenceType, units }: TokenizedText,
): number[] {
  let assistants = 0;
  let users = 0;
  for (const unit of suspects) {
    const { roles } = memory.rolesOf(unit);
    if ((roles & ASSISTANT) !== 0) assistants++;
    if ((roles & USER) !== 0) users++;
  }
  let orders = 0;
  for (let unit = 0; unit < units; unit++) if (IS_ORDER[sentenceType[unit]!] === 1) orders++;
  return [
    stepOf(assistants, 1, 2, 4, 9),
    5 + stepOf(users, 1, 2, 4, 9),
    10 + stepOf(units, 2, 5, 12, 40),
    15 + stepOf(orders * 20, units, units * 4, units * 10, units * 16),
  ];
}

const IS_ORDER = new Uint8Array(256);
for (const type of [COMMAND, POLITE_COMMAND, PROHIBITION, OBLIGATION]) IS_ORDER[type] = 1;

/** Returns how many of ascending bounds a number reaches. */
function stepOf(number: number, ...bounds: readonly number[]): number {
  return bounds.filter((bound) => number >= bound).length;
}

/** Fills `out` with the features of a sentence and of what stands around it. */
export function featuresAt(
  unit: number,
  memory: SentenceMemory,
  text: readonly number[],
  reading: TokenizedText,
  out: FeatureBuffer,
): void {
  out.count = 0;
  const { roles, first } = memory.rolesOf(unit);
  const own = rolesIn(roles);
  addOwn(own, memory.symbolsOf(unit), out);
  for (const role of rolesIn(first)) {
    out.add(OPENING + role);
    for (const other of own) out.add(OPENING_ROLE + role * ROLES + other);
  }
  addAround(unit, roles, memory, reading.units, out);
  for (const symbol of text) out.add(TEXT + symbol);
  for (let key = 0; key < KEYS.length; key++)
    if (((roles >>> KEYS[key]!) & 1) !== 0)
      for (const symbol of text) out.add(TEXT_KEY + key * TEXTS + symbol);
  if (unit === 0) out.add(FIRST_SENTENCE);
  if (unit === reading.units - 1) out.add(LAST_SENTENCE);
  addWords(unit, reading, out);
}

function addOwn(own: readonly number[], symbols: readonly number[], out: FeatureBuffer): void {
  for (const symbol of symbols) out.add(SYMBOL + symbol);
  for (let first = 0; first < own.length; first++) {
    const one = own[first]!;
    out.add(ROLE + one);
    for (const symbol of symbols) out.add(ROLE_SYMBOL + one * SYMBOLS + symbol);
    for (let second = first + 1; second < own.length; second++) {
      const two = one * ROLES + own[second]!;
      out.add(TWO_ROLES + two);
      for (let third = second + 1; third < own.length; third++)
        out.add(THREE_ROLES + two * ROLES + own[third]!);
    }
  }
}

function addAround(
  unit: number,
  roles: number,
  memory: SentenceMemory,
  units: number,
  out: FeatureBuffer,
): void {
  const end = Math.min(units, unit + 1 + BEHIND);
  let behind = 0;
  for (let next = unit + 1; next < end; next++) behind |= memory.rolesOf(next).roles;
  const next = rolesIn(behind);
  const last = unit === 0 ? [] : rolesIn(memory.rolesOf(unit - 1).roles);
  for (let key = 0; key < KEYS.length; key++) {
    if (((roles >>> KEYS[key]!) & 1) === 0) continue;
    for (const role of next) out.add(NEXT_ROLE + key * ROLES + role);
    for (const role of last) out.add(LAST_ROLE + key * ROLES + role);
    for (let other = unit + 1; other < end; other++)
      for (const symbol of memory.symbolsOf(other)) out.add(NEXT_SYMBOL + key * SYMBOLS + symbol);
  }
}

function addWords(unit: number, { firstWord, hash }: TokenizedText, out: FeatureBuffer): void {
  let before = 0;
  for (let word = firstWord[unit]!; word < firstWord[unit + 1]!; word++) {
    const here = hash[word]!;
    out.add(WORDS + (mix(here) % PLACES_OF_WORDS));
    out.add(WORDS + (mix(Math.imul(here, SPREAD) ^ before) % PLACES_OF_WORDS));
    before = here;
  }
}

function rolesIn(bits: number): number[] {
  const list: number[] = [];
  for (let role = 0, rest = bits; rest !== 0; role++, rest >>>= 1) if ((rest & 1) !== 0) list.push(role);
  return list;
}
