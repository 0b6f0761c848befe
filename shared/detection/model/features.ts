import { IS_LIGHT, joinHash } from '../lexicon/tables.ts';
import type { Reading } from '../read/reading.ts';
import { addDataFeatures } from './data-features.ts';
import { type FeatureList, HALF, PER_WORD, place, placeMeaning, placePair, Recent } from './feature-list.ts';

const KIND_WORD = 0x1b873593;
const KIND_WORD_PAIR = 0x7feb352d;
const KIND_MIXED_PAIR = 0x12b9b0a5;
const KIND_MEANING = 0x2c1b3c6d;
const SPREAD = 0x51ed2701;

const strong = new Recent(7);
const light = new Recent(3);

/**
 * Words and pairs of neighbours, as words and, where one has a meaning, by that; meanings, and pairs of meanings some
 * words apart, of which one at most is light. With `frames` also what only the reading of data looks at.
 */
export function featuresOf(reading: Reading, out: FeatureList, frames: boolean): void {
  const { hash, concept, unit, words } = reading;
  const { index, unit: units, back: backs } = out;
  const limit = index.length - PER_WORD;
  strong.count = 0;
  light.count = 0;
  let count = 0;
  for (let w = 0; w < words && count < limit; w++) {
    const here = unit[w]!;
    const word = hash[w]!;
    const meaning = concept[w]!;
    index[count] = place(word ^ KIND_WORD);
    units[count] = here;
    backs[count++] = 0;
    if (w > 0 && unit[w - 1] === here) {
      const wordBefore = hash[w - 1]!;
      index[count] = place(joinHash(wordBefore, word) ^ KIND_WORD_PAIR);
      units[count] = here;
      backs[count++] = 0;
      const before = concept[w - 1]!;
      if (before !== 0 || meaning !== 0) {
        const left = before === 0 ? wordBefore : Math.imul(before, SPREAD);
        const right = meaning === 0 ? word : Math.imul(meaning, SPREAD);
        index[count] = HALF + place(joinHash(left, right) ^ KIND_MIXED_PAIR);
        units[count] = here;
        backs[count++] = 0;
      }
    }
    if (meaning === 0) continue;
    index[count] = placeMeaning(meaning, KIND_MEANING);
    units[count] = here;
    backs[count++] = 0;
    strong.forget(w, here);
    for (let p = 0; p < strong.count; p++) {
      const other = strong.meaning[p]!;
      if (other === meaning) continue;
      index[count] = placePair(meaning, other);
      units[count] = here;
      backs[count++] = here - strong.unit[p]!;
    }
    if (IS_LIGHT[meaning] !== 0) {
      light.push(w, meaning, here);
      continue;
    }
    light.forget(w, here);
    for (let p = 0; p < light.count; p++) {
      index[count] = placePair(meaning, light.meaning[p]!);
      units[count] = here;
      backs[count++] = here - light.unit[p]!;
    }
    strong.push(w, meaning, here);
  }
  out.plain = count;
  out.count = frames ? addDataFeatures(reading, out, count) : count;
}
