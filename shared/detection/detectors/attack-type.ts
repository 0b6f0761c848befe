import type { ThreatType } from '../../contract/index.ts';
import { CONCEPT_NAMES } from '../lexicon/tables.ts';
import type { TokenizedText } from '../read/tokenized-text.ts';

/** What a meaning indicates about an attack, as bits. */
const IGNORE = 1;
const INSTRUCTION = 2;
const SHOW = 4;
const GOODS = 8;
const PLAY = 16;
const SEND = 32;
const LOOT = 64;

const TRAITS = new Uint8Array(256);
for (const [trait, names] of [
  [IGNORE, 'ignore'],
  [INSTRUCTION, 'instruction previous prompt system'],
  [SHOW, 'reveal repeat know encode hint translate'],
  [GOODS, 'secret password prompt system instruction'],
  [PLAY, 'pretend jailbreak restriction evil mode refuse supposing freedom'],
  [SEND, 'send'],
  [LOOT, 'access personal link password'],
] as const) {
  for (const name of names.split(' ')) {
    const meaning = CONCEPT_NAMES.indexOf(name);
    TRAITS[meaning] = TRAITS[meaning]! | trait;
  }
}

/** Returns the type of attack that the words of the units from `first` to `last` indicate. */
export function typeOf(reading: TokenizedText, first: number, last: number): ThreatType {
  let traits = 0;
  for (let word = 0; word < reading.words; word++) {
    const unit = reading.unit[word]!;
    if (unit < first) continue;
    if (unit > last) break;
    traits |= TRAITS[reading.concept[word]!]!;
  }
  const has = (all: number) => (traits & all) === all;
  if (has(IGNORE | INSTRUCTION)) return 'instruction_override';
  if (has(PLAY)) return 'jailbreak';
  if (has(SHOW | GOODS)) return 'system_prompt_leak';
  return has(SEND | LOOT) ? 'data_exfiltration' : 'prompt_injection';
}

/** Returns the halves of an override that a meaning can be; together they are BOTH_HALVES. */
export function halfOf(meaning: number): number {
  return TRAITS[meaning]! & BOTH_HALVES;
}

export const BOTH_HALVES = IGNORE | INSTRUCTION;

const [IGNORES, EARLIER, RULES] = [1, 2, 4];
const OVERRIDES = new Uint8Array(256);
for (const [part, name] of [
  [IGNORES, 'ignore'],
  [EARLIER, 'previous'],
  [RULES, 'instruction'],
] as const)
  OVERRIDES[CONCEPT_NAMES.indexOf(name)] = part;
/** The three parts of an override are at most this many words apart. */
const OVERRIDE_WORDS = 8;

/** True if a unit from `first` to `last` says, in any language, to ignore earlier instructions. */
export function isOverride(reading: TokenizedText, first: number, last: number): boolean {
  const { unit, concept, words } = reading;
  const at = [-OVERRIDE_WORDS, -OVERRIDE_WORDS, -OVERRIDE_WORDS];
  for (let word = 0; word < words; word++) {
    if (unit[word]! < first) continue;
    if (unit[word]! > last) break;
    const part = OVERRIDES[concept[word]!]!;
    if (part === 0) continue;
    at[part >> 1] = word;
    if (Math.min(...at) > word - OVERRIDE_WORDS && unit[Math.min(...at)] === unit[word]) return true;
  }
  return false;
}
