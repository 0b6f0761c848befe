import { IS_LIGHT } from '../lexicon/tables.ts';
import { type Reading, SK_START } from '../read/reading.ts';
import { type FeatureList, PER_WORD, placeMeaning, placePair, Recent } from './feature-list.ts';

const KIND_TRIPLE = 0x68e31da4;
const KIND_SKELETON = 0x3c6ef372;

const recent = new Recent(7);

/**
 * What only the reading of data looks at, from `count` on: pairs of light meanings, triples of any, and skeletons of
 * two to four. Such frames help where data is read (an order looks like one) and mislead where a user writes: there
 * everybody gives orders. Returns the new count.
 */
export function addDataFeatures(reading: Reading, out: FeatureList, count: number): number {
  return addSkeletons(reading, out, addMeanings(reading, out, count));
}

function addMeanings(reading: Reading, out: FeatureList, from: number): number {
  const { concept, unit, words } = reading;
  const { index, unit: units, back: backs } = out;
  const limit = index.length - PER_WORD;
  recent.count = 0;
  let count = from;
  for (let w = 0; w < words && count < limit; w++) {
    const meaning = concept[w]!;
    if (meaning === 0) continue;
    const here = unit[w]!;
    recent.forget(w, here);
    for (let p = 0; p < recent.count; p++) {
      const other = recent.meaning[p]!;
      if (other === meaning) continue;
      if (IS_LIGHT[meaning] !== 0 && IS_LIGHT[other] !== 0) {
        index[count] = placePair(meaning, other);
        units[count] = here;
        backs[count++] = here - recent.unit[p]!;
      }
      for (let q = 0; q < p; q++) {
        const third = recent.meaning[q]!;
        if (third === meaning || third === other) continue;
        index[count] = placeTriple(meaning, other, third);
        units[count] = here;
        backs[count++] = here - recent.unit[q]!;
      }
    }
    recent.push(w, meaning, here);
  }
  return count;
}

function placeTriple(a: number, b: number, c: number): number {
  const low = Math.min(a, b, c);
  const high = Math.max(a, b, c);
  return placeMeaning((low * 256 + (a + b + c - low - high)) * 256 + high, KIND_TRIPLE);
}

function addSkeletons(reading: Reading, out: FeatureList, from: number): number {
  const { skeleton, skeletonUnit } = reading;
  const limit = out.index.length - PER_WORD;
  let count = from;
  let first = 0;
  for (let s = 0; s < reading.skeletons && count < limit; s++) {
    const here = skeletonUnit[s]!;
    if (s > 0 && skeletonUnit[s - 1] !== here) first = s;
    let gram = skeleton[s]!;
    for (let length = 2; length <= 4; length++) {
      const at = s - length + 1;
      if (at < first - 1) break;
      gram = Math.imul(gram, 0x01000193) ^ (at < first ? SK_START : skeleton[at]!);
      out.index[count] = placeMeaning(gram, KIND_SKELETON + length);
      out.unit[count] = here;
      out.back[count++] = 0;
    }
  }
  return count;
}
