import { IS_LIGHT } from '../lexicon/tables.ts';
import { SK_START, type TokenizedText } from '../read/tokenized-text.ts';
import {
  BACK_SHIFT,
  type FeatureList,
  MAX_FEATURES,
  PER_WORD,
  placeMeaning,
  placePair,
  RING,
} from './feature-list.ts';

const KIND_TRIPLE = 0x68e31da4;
const KIND_SKELETON = 0x3c6ef372;

/**
 * Adds the features that only the reading as data uses: pairs of light meanings, triples of any, and skeletons of two
 * to four entries. Such frames help in data, where they reveal an instruction, and mislead in users' texts, which are
 * full of instructions.
 */
export function addDataFeatures(reading: TokenizedText, out: FeatureList): void {
  addMeanings(reading, out);
  addSkeletons(reading, out);
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the words of every text
function addMeanings(reading: TokenizedText, out: FeatureList): void {
  const { concept, unit, words } = reading;
  const { entries, strong: recent } = out;
  const isLight = IS_LIGHT;
  let limit = MAX_FEATURES - PER_WORD + out.units;
  recent.clear();
  let count = out.count;
  let here = -1;
  for (let w = 0; w < words && count < limit; w++) {
    const meaning = concept[w]!;
    if (meaning === 0) continue;
    if (unit[w] !== here) {
      here = unit[w]!;
      entries[count++] = ~here;
      limit++;
      out.units++;
    }
    recent.forget(w, here);
    for (let p = recent.from; p < recent.to; p++) {
      const other = recent.meaning[p & RING]!;
      if (other === meaning) continue;
      if (isLight[meaning] !== 0 && isLight[other] !== 0)
        entries[count++] = placePair(meaning, other) | ((here - recent.unit[p & RING]!) << BACK_SHIFT);
      for (let q = recent.from; q < p; q++) {
        const third = recent.meaning[q & RING]!;
        if (third !== meaning && third !== other)
          entries[count++] =
            placeTriple(meaning, other, third) | ((here - recent.unit[q & RING]!) << BACK_SHIFT);
      }
    }
    recent.push(w, meaning, here);
  }
  out.count = count;
}

function placeTriple(a: number, b: number, c: number): number {
  const low = Math.min(a, b, c);
  const high = Math.max(a, b, c);
  return placeMeaning((low * 256 + (a + b + c - low - high)) * 256 + high, KIND_TRIPLE);
}

function addSkeletons(reading: TokenizedText, out: FeatureList): void {
  const { skeleton, skeletonUnit } = reading;
  const { entries } = out;
  let limit = MAX_FEATURES - PER_WORD + out.units;
  let count = out.count;
  let first = 0;
  let here = -1;
  for (let s = 0; s < reading.skeletons && count < limit; s++) {
    if (skeletonUnit[s] !== here) {
      here = skeletonUnit[s]!;
      entries[count++] = ~here;
      limit++;
      out.units++;
      first = s;
    }
    let gram = skeleton[s]!;
    for (let length = 2; length <= 4; length++) {
      const at = s - length + 1;
      if (at < first - 1) break;
      gram = Math.imul(gram, 0x01000193) ^ (at < first ? SK_START : skeleton[at]!);
      entries[count++] = placeMeaning(gram, KIND_SKELETON + length);
    }
  }
  out.count = count;
}
