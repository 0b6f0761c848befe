import { ORDER_VERBS } from '../lexicon/order-verbs.ts';
import { HashTable, hashWord, VERB, wholeWords } from '../lexicon/tables.ts';
import { MAX_PIECE, type Reading } from '../read/reading.ts';

/** How a unit speaks. */
export const STATES = 0;
export const ORDERS = 1;
export const BEGS = 2;
export const REQUESTS = 3;
export const ASKS = 4;
export const WONDERS = 5;
export const OBLIGES = 6;
export const FORBIDS = 7;
export const CONDITIONS = 8;
export const CONFIDES = 9;
export const MOODS = 10;

/** What a word does at the beginning of a unit, by its hash. */
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
const GREETS = 11;
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
  [GREETS, 'hi hello dear hey regards sincerely cheers greetings subject'],
  [WANT, 'want need ask like'],
];
for (const [number, words] of parts) for (const word of words.split(' ')) part.set(hashWord(word), number);
const orderVerbs = new HashTable(12);
for (const verb of ORDER_VERBS) orderVerbs.set(hashWord(verb), 1);
const THOU = hashWord('you');
const DO = hashWord('do');
const ME = hashWord('me');

/** Of the last `readMoods`: how each unit speaks, and the index of its first word; one entry more marks the end. */
export const mood = new Uint8Array(MAX_PIECE + 8);
export const firstWord = new Int32Array(MAX_PIECE + 9);

/** Says of each unit how it speaks: by its first words, by whom it addresses, and by how it ends. English words only. */
export function readMoods(text: string, reading: Reading): void {
  const { hash, unit: unitOf, words } = reading;
  let w = 0;
  for (let unit = 0; unit < reading.units; unit++) {
    const first = w;
    let addressed = STATES;
    for (; w < words && unitOf[w] === unit; w++) {
      if (hash[w] !== THOU) continue;
      const after = w + 1 < words && unitOf[w + 1] === unit ? part.get(hash[w + 1]!) : 0;
      if (after === MUST || after === CAN || (w > first && part.get(hash[w - 1]!) === WANT))
        addressed = OBLIGES;
    }
    firstWord[unit] = first;
    mood[unit] = moodOf(text, reading, unit, first, w, addressed);
  }
  firstWord[reading.units] = w;
}

/** Whether a unit greets or takes leave in its first words. */
export function greets(reading: Reading, unit: number): boolean {
  const last = Math.min(firstWord[unit]! + 3, firstWord[unit + 1]!);
  for (let w = firstWord[unit]!; w < last; w++) if (part.get(reading.hash[w]!) === GREETS) return true;
  return false;
}

function moodOf(
  text: string,
  reading: Reading,
  unit: number,
  first: number,
  last: number,
  addressed: number,
): number {
  const { hash } = reading;
  let w = bareStart(text, reading, first, last);
  let begs = false;
  const roleAt = (at: number) => (at < last ? part.get(hash[at]!) : 0);
  for (let skipped = 0; skipped < 4 && w < last; skipped++, w++) {
    const role = roleAt(w);
    if (role === PLEASE) begs = true;
    else if (role !== LEAD) break;
  }
  const role = roleAt(w);
  const end = reading.unitEnd[unit]!;
  const isQuestion = text.charCodeAt(end - 1) === 63 || text.charCodeAt(end - 2) === 63;
  if (role === CAN && roleAt(w + 1) === YOU) return REQUESTS;
  if (role === NOT || (hash[w] === DO && roleAt(w + 1) === NOT)) return FORBIDS;
  if (role === WHEN) return addressed === STATES ? CONDITIONS : OBLIGES;
  const isVerb = w < last && (wholeWords.get(hash[w]!) >>> 8 === VERB || orderVerbs.get(hash[w]!) !== 0);
  if (isVerb || (w + 1 < last && hash[w + 1] === ME && role === 0)) {
    if (!isQuestion || begs) return begs || roleAt(last - 1) === PLEASE ? BEGS : ORDERS;
  }
  if (begs) return BEGS;
  if (role === WH) return isQuestion || roleAt(w + 1) === AUXILIARY || roleAt(w + 1) === CAN ? ASKS : STATES;
  if (isQuestion) return WONDERS;
  if (addressed !== STATES) return addressed;
  return role === SELF ? CONFIDES : STATES;
}

/** Where a unit begins to speak: behind the last cell that ends in a comma, or behind `Name:`. */
function bareStart(text: string, reading: Reading, first: number, last: number): number {
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

const COMMA = 44;
const SEMICOLON = 59;
const COLON = 58;
/** A name before a colon is no longer. */
const NAME_WORDS = 8;
