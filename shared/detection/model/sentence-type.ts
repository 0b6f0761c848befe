import { ORDER_VERBS } from '../lexicon/order-verbs.ts';
import { HashTable, hashWord, VERB, wholeWords } from '../lexicon/tables.ts';
import type { TokenizedText } from '../read/tokenized-text.ts';

/** The sentence type of a unit. */
export const STATEMENT = 0;
export const COMMAND = 1;
export const POLITE_COMMAND = 2;
export const REQUEST = 3;
export const WH_QUESTION = 4;
export const OTHER_QUESTION = 5;
export const OBLIGATION = 6;
export const PROHIBITION = 7;
const CONDITION = 8;
const FIRST_PERSON_STATEMENT = 9;
export const SENTENCE_TYPES = 10;

/** The function of a word at the beginning of a unit, by its hash. */
const PLEASE = 1;
const CAN = 2;
const WH = 3;
const AUXILIARY = 4;
const NOT = 5;
const LEAD = 6;
const SELF = 7;
const YOU = 8;
const WHEN = 9;
const MUST = 10;
const GREETING = 11;
const WANT = 12;

const part = new HashTable(9);
const parts: readonly (readonly [number, string])[] = [
  [PLEASE, 'please kindly pls'],
  [CAN, 'can could would will'],
  [WH, 'what which who whom whose how why where'],
  [AUXILIARY, 'is are was were do does did has have had am should may might shall'],
  [NOT, 'dont never not'],
  [LEAD, 'also now then next finally and so just first afterwards lastly ok okay instead note additionally'],
  [SELF, 'i we my our im ive'],
  [YOU, 'you your'],
  [WHEN, 'if when before after while once whenever'],
  [MUST, 'must should need shall have'],
  [GREETING, 'hi hello dear hey regards sincerely cheers greetings subject'],
  [WANT, 'want need ask like'],
];
for (const [number, words] of parts) for (const word of words.split(' ')) part.set(hashWord(word), number);
const orderVerbs = new HashTable(12);
for (const verb of ORDER_VERBS) orderVerbs.set(hashWord(verb), 1);
const SECOND_PERSON = hashWord('you');
const DO = hashWord('do');
const ME = hashWord('me');

/**
 * Determines the sentence type of each unit from its first words, whom it addresses, and how it ends. English words
 * only. Fills `sentenceType` and `firstWord` of `reading`.
 */
export function readSentenceTypes(text: string, reading: TokenizedText): void {
  const { hash, unit: unitOf, words, sentenceType, firstWord } = reading;
  let w = 0;
  for (let unit = 0; unit < reading.units; unit++) {
    const first = w;
    let addressed = STATEMENT;
    for (; w < words && unitOf[w] === unit; w++) {
      if (hash[w] === SECOND_PERSON && isObligation(reading, w, first)) addressed = OBLIGATION;
    }
    firstWord[unit] = first;
    sentenceType[unit] = sentenceTypeOf(text, reading, unit, first, w, addressed);
  }
  firstWord[reading.units] = w;
}

/**
 * True if "you", word `w` of a unit that begins with word `first`, is followed by an obligation or preceded by a wish.
 */
function isObligation({ hash, unit: unitOf, words }: TokenizedText, w: number, first: number): boolean {
  const after = w + 1 < words && unitOf[w + 1] === unitOf[w] ? part.get(hash[w + 1]!) : 0;
  return after === MUST || after === CAN || (w > first && part.get(hash[w - 1]!) === WANT);
}

/** True if a unit contains a greeting or closing among its first words. */
export function hasGreeting(reading: TokenizedText, unit: number): boolean {
  const { firstWord } = reading;
  const last = Math.min(firstWord[unit]! + 3, firstWord[unit + 1]!);
  for (let w = firstWord[unit]!; w < last; w++) if (part.get(reading.hash[w]!) === GREETING) return true;
  return false;
}

/** Returns the sentence type of the words `[first, last)`; `addressed`: the type by the words inside it. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: all sentence types, in order of precedence
function sentenceTypeOf(
  text: string,
  reading: TokenizedText,
  unit: number,
  first: number,
  last: number,
  addressed: number,
): number {
  const { hash } = reading;
  const from = bareStart(text, reading, first, last);
  const w = leadsEnd(hash, from, last);
  const isPolite = hasPlease(hash, from, w);
  const role = roleAt(hash, w, last);
  if (role === CAN && roleAt(hash, w + 1, last) === YOU) return REQUEST;
  if (role === NOT || (hash[w] === DO && roleAt(hash, w + 1, last) === NOT)) return PROHIBITION;
  if (role === WHEN) return addressed === STATEMENT ? CONDITION : OBLIGATION;
  const isQuestion = endsAsQuestion(text, reading.unitEnd[unit]!);
  if ((!isQuestion || isPolite) && isOrderAt(hash, w, last, role))
    return isPolite || roleAt(hash, last - 1, last) === PLEASE ? POLITE_COMMAND : COMMAND;
  if (isPolite) return POLITE_COMMAND;
  if (role === WH) return isQuestion || isAuxiliaryAt(hash, w + 1, last) ? WH_QUESTION : STATEMENT;
  if (isQuestion) return OTHER_QUESTION;
  if (addressed !== STATEMENT) return addressed;
  return role === SELF ? FIRST_PERSON_STATEMENT : STATEMENT;
}

function roleAt(hash: Int32Array, at: number, last: number): number {
  return at < last ? part.get(hash[at]!) : 0;
}

function isAuxiliaryAt(hash: Int32Array, at: number, last: number): boolean {
  const role = roleAt(hash, at, last);
  return role === AUXILIARY || role === CAN;
}

const MAX_LEADS = 4;

/** Returns the index after introductory words. */
function leadsEnd(hash: Int32Array, from: number, last: number): number {
  let w = from;
  while (w < last && w - from < MAX_LEADS) {
    const role = part.get(hash[w]!);
    if (role !== PLEASE && role !== LEAD) break;
    w++;
  }
  return w;
}

function hasPlease(hash: Int32Array, from: number, to: number): boolean {
  for (let w = from; w < to; w++) if (part.get(hash[w]!) === PLEASE) return true;
  return false;
}

function endsAsQuestion(text: string, end: number): boolean {
  return text.charCodeAt(end - 1) === QUESTION || text.charCodeAt(end - 2) === QUESTION;
}

/** True for the hash of a verb that begins requests or orders. */
export function isOrderVerb(word: number): boolean {
  return wholeWords.get(word) >>> 8 === VERB || orderVerbs.get(word) !== 0;
}

/** True for a request verb, or any unknown word before `me`. */
function isOrderAt(hash: Int32Array, at: number, last: number, role: number): boolean {
  if (at >= last) return false;
  if (isOrderVerb(hash[at]!)) return true;
  return role === 0 && at + 1 < last && hash[at + 1] === ME;
}

/**
 * Returns the index of the first significant word: after the last comma or semicolon of a row of cells, or after
 * `Name:`.
 */
function bareStart(text: string, reading: TokenizedText, first: number, last: number): number {
  const { start } = reading;
  for (let w = last - 1; w > first; w--) {
    const before = text.charCodeAt(start[w]! - 1);
    if (before === COMMA || before === SEMICOLON) return w;
  }
  for (let w = Math.min(last - 1, first + NAME_WORDS); w > first; w--) {
    for (let i = start[w]! - 2; i > start[w - 1]! && i > start[w]! - 5; i--)
      if (text.charCodeAt(i) === COLON) return w;
  }
  return first;
}

const QUESTION = 63;
const COMMA = 44;
const SEMICOLON = 59;
const COLON = 58;
/** The most words of a name before a colon. */
const NAME_WORDS = 8;
