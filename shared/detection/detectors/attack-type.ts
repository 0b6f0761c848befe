import type { ThreatType } from '../../contract/index.ts';
import { CONCEPT_NAMES } from '../lexicon/tables.ts';
import type { Reading } from '../read/reading.ts';

/** What a meaning says of an attack, as bits. */
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

/** What kind of attack the words of the units from `first` to `last` speak of. */
export function typeOf(reading: Reading, first: number, last: number): ThreatType {
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

/** The halves of an override that a meaning may be; together they are BOTH_HALVES. */
export function halfOf(meaning: number): number {
  return TRAITS[meaning]! & BOTH_HALVES;
}

export const BOTH_HALVES = IGNORE | INSTRUCTION;
