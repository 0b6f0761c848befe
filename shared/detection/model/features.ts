import { IS_LIGHT, joinHash } from '../lexicon/tables.ts';
import type { TokenizedText } from '../read/tokenized-text.ts';
import { addDataFeatures } from './data-features.ts';
import {
  BACK_SHIFT,
  type FeatureList,
  HALF,
  MAX_FEATURES,
  PER_WORD,
  place,
  placeMeaning,
  placePair,
  RING,
} from './feature-list.ts';

const KIND_WORD = 0x1b873593;
const KIND_WORD_PAIR = 0x7feb352d;
const KIND_MIXED_PAIR = 0x12b9b0a5;
const KIND_MEANING = 0x2c1b3c6d;
const SPREAD = 0x51ed2701;

/**
 * Collects the features of a reading: words and pairs of adjacent words, also by their meanings; meanings, and pairs of
 * nearby meanings, at most one of which is light. With `frames` also the features that only the reading as data uses.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the words for all kinds of features
export function featuresOf(reading: TokenizedText, out: FeatureList, frames: boolean): void {
  const { hash, concept, unit, words } = reading;
  const { entries, strong, light } = out;
  const isLight = IS_LIGHT;
  let limit = MAX_FEATURES - PER_WORD;
  strong.clear();
  light.clear();
  let count = 0;
  let here = -1;
  let wordBefore = 0;
  let before = 0;
  for (let w = 0; w < words && count < limit; w++) {
    const word = hash[w]!;
    const meaning = concept[w]!;
    const isFirst = unit[w] !== here;
    if (isFirst) {
      here = unit[w]!;
      entries[count++] = ~here;
      limit++;
    }
    entries[count++] = place(word ^ KIND_WORD);
    if (!isFirst) {
      entries[count++] = place(joinHash(wordBefore, word) ^ KIND_WORD_PAIR);
      if (before !== 0 || meaning !== 0) {
        const left = before === 0 ? wordBefore : Math.imul(before, SPREAD);
        const right = meaning === 0 ? word : Math.imul(meaning, SPREAD);
        entries[count++] = HALF + place(joinHash(left, right) ^ KIND_MIXED_PAIR);
      }
    }
    wordBefore = word;
    before = meaning;
    if (meaning === 0) continue;
    entries[count++] = placeMeaning(meaning, KIND_MEANING);
    strong.forget(w, here);
    for (let p = strong.from; p < strong.to; p++) {
      const other = strong.meaning[p & RING]!;
      if (other !== meaning)
        entries[count++] = placePair(meaning, other) | ((here - strong.unit[p & RING]!) << BACK_SHIFT);
    }
    if (isLight[meaning] !== 0) {
      light.push(w, meaning, here);
      continue;
    }
    light.forget(w, here);
    for (let p = light.from; p < light.to; p++)
      entries[count++] =
        placePair(meaning, light.meaning[p & RING]!) | ((here - light.unit[p & RING]!) << BACK_SHIFT);
    strong.push(w, meaning, here);
  }
  out.plain = count;
  out.count = count;
  out.units = limit - (MAX_FEATURES - PER_WORD);
  if (frames) addDataFeatures(reading, out);
}
