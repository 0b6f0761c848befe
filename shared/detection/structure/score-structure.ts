import { CONCEPT_NAMES, HashTable, hashWord } from '../lexicon/tables.ts';
import { ATTACK } from '../operating-points/attacks.ts';
import type { Text } from '../read/codes.ts';
import type { TokenizedText } from '../read/tokenized-text.ts';
import { FeatureBuffer, featuresAt, isSuspect, symbolsOfText } from './features.ts';
import { SCARCE_WORDS, SUPPORTING_WORDS } from './roles.ts';
import { SentenceMemory } from './sentences.ts';

export interface StructureWeights {
  readonly values: ArrayLike<number>;
  readonly scale: number;
  readonly bias: number;
}

/** The sentence of a text that is most like a part of a planted order. */
export interface StructureScore {
  /** Log-odds, before calibration. */
  readonly score: number;
  /** Its offsets. UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** What a word says about whether its sentence may have roles, as bits. */
const ENOUGH = 1;
const NEGATION = 2;
const SUPPORT = 4;
/** From here on a bit for each meaning of rank and rules, of which one sentence needs two. */
const FIRST_RULE = 8;
const CLUES = new Uint16Array(256);
for (const name of ['ai']) CLUES[CONCEPT_NAMES.indexOf(name)] = ENOUGH;
for (const name of ['not', 'without', 'refuse', 'secret']) CLUES[CONCEPT_NAMES.indexOf(name)] = NEGATION;
for (const [index, name] of 'admin system instruction prompt previous ignore restriction'
  .split(' ')
  .entries())
  CLUES[CONCEPT_NAMES.indexOf(name)] = FIRST_RULE << index;
const words = new HashTable(11);
for (const [clue, list] of [
  [ENOUGH, SCARCE_WORDS],
  [SUPPORT, SUPPORTING_WORDS],
] as const)
  for (const word of list.trim().split(/\s+/)) words.set(hashWord(word.normalize('NFC')), clue);

/** True if the words of a sentence may have the roles of a planted order. Cheap: most sentences have not. */
function mayHaveRoles(clues: number, isForeign: boolean): boolean {
  if ((clues & ENOUGH) !== 0) return true;
  if (isForeign) return (clues & ~SUPPORT) !== 0;
  const rules = Math.floor(clues / FIRST_RULE);
  const isSupported = (clues & SUPPORT) !== 0;
  if (isSupported) return (clues & NEGATION) !== 0 || rules !== 0;
  return (rules & (rules - 1)) !== 0;
}

/**
 * Visits the sentences of a text that may be part of a planted order, with the features of each, which are valid until
 * `visit` returns. Call it after `readSentenceTypes`.
 */
export function eachSuspect(
  text: Text,
  reading: TokenizedText,
  visit: (unit: number, features: FeatureBuffer) => void,
): number {
  const memory = new SentenceMemory(text, reading);
  const suspects = suspectsOf(text.codes, reading, memory);
  if (suspects.length === 0) return 0;
  const whole = symbolsOfText(memory, suspects, reading);
  const features = new FeatureBuffer();
  for (const unit of suspects) {
    featuresAt(unit, memory, whole, reading, features);
    visit(unit, features);
  }
  return suspects.length;
}

function suspectsOf(codes: Uint16Array, reading: TokenizedText, memory: SentenceMemory): number[] {
  const { concept, firstWord, hash, unitStart, units } = reading;
  const suspects: number[] = [];
  for (let unit = 0; unit < units; unit++) {
    const last = firstWord[unit + 1]!;
    let clues = 0;
    for (let word = firstWord[unit]!; word < last; word++)
      clues |= CLUES[concept[word]!]! | words.get(hash[word]!);
    if (clues === 0 || !mayHaveRoles(clues, codes[unitStart[unit]!]! > LATIN)) continue;
    const { roles } = memory.rolesOf(unit);
    if (isSuspect(roles, concept, firstWord[unit]!, last)) suspects.push(unit);
  }
  return suspects;
}

/** The words of other scripts are known by their meanings alone. */
const LATIN = 0x24f;

/** Lower limit of the number of features, for normalization. */
const MIN_FEATURES = 40;

/** Returns the factor of the weights of a sentence: the root keeps long and short ones comparable. */
export const shareOf = (features: number): number => 1 / Math.sqrt(Math.max(MIN_FEATURES, features));

/** Among many sentences some score high by chance. */
export const ofSentences = (score: number, sentences: number): number =>
  score - ATTACK.structurePerSentence * Math.log(Math.max(1, sentences));

/** Returns the strongest sentence; null if none may be part of an order. `share`: the length of the whole text, of this piece's. */
export function scoreStructure(
  text: Text,
  reading: TokenizedText,
  { values, scale, bias }: StructureWeights,
  share: number,
): StructureScore | null {
  let best = Number.NEGATIVE_INFINITY;
  let strongest = 0;
  const sentences = eachSuspect(text, reading, (unit, { entries, count }) => {
    let sum = 0;
    for (let at = 0; at < count; at++) sum += values[entries[at]!]!;
    const score = sum * scale * shareOf(count) + bias;
    if (score <= best) return;
    best = score;
    strongest = unit;
  });
  if (sentences === 0) return null;
  return {
    score: ofSentences(best, sentences * share),
    start: reading.unitStart[strongest]!,
    end: reading.unitEnd[strongest]!,
  };
}
