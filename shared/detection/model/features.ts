import { IS_LIGHT, joinHash } from '../lexicon/tables.ts';
import { MAX_PIECE, type Reading, SK_START } from '../read/reading.ts';

/** Features are hashed into this many weights per reading. */
export const FEATURE_BITS = 18;
/** Words and word pairs lie in the lower half of the weights, meanings and frames in the upper one. */
export const HALF = 1 << (FEATURE_BITS - 1);
const MASK = HALF - 1;

/** Concepts this many words apart still belong together. */
const REACH = 16;
const MAX_PAIRED = 7;
/** Low enough that no meaning is too light. */
const BOTH = -2;
const PER_WORD = 40;

/** What a text shows, as indexes into the weights; filled again for every text, like a Reading. */
export class FeatureList {
  count = 0;
  /** Frames come last: this many features are words and meanings. */
  plain = 0;
  readonly index = new Int32Array(MAX_PIECE * 8);
  /** Unit of the feature's last word. */
  readonly unit = new Int32Array(MAX_PIECE * 8);
  /** How many units back its first word stands: 0, 1 or 2. */
  readonly back = new Uint8Array(MAX_PIECE * 8);
}

const KIND_WORD = 0x1b873593;
const KIND_PAIR = 0x7feb352d;
const KIND_CONCEPT = 0x2c1b3c6d;
const KIND_CONCEPTS = 0x297a2d39;
const KIND_TRIPLE = 0x68e31da4;
const KIND_SKELETON = 0x3c6ef372;

function place(hash: number): number {
  let mixed = hash;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b | 0);
  return (mixed ^ (mixed >>> 16)) & MASK;
}

/** Where a number that stands for a meaning of its own kind lies among the weights. */
export function placeMeaning(code: number, kind: number): number {
  return HALF + place(Math.imul(code, 0x9e3779b1) ^ kind);
}

const recentWord = new Int32Array(MAX_PAIRED);
const recentConcept = new Int32Array(MAX_PAIRED);
const recentUnit = new Int32Array(MAX_PAIRED);

/**
 * Words, word pairs, concepts alone and in unordered pairs and triples; with `frames`, skeletons of two to four too.
 * Where a user writes, a pair has at most one light meaning, and so has a triple; in data light ones carry the order.
 * Frames help where data is read (an order looks like one) and mislead where a user writes: there everybody gives orders.
 */
export function featuresOf(reading: Reading, out: FeatureList, frames: boolean): void {
  const { hash, concept, unit } = reading;
  const limit = out.index.length - PER_WORD;
  let count = 0;
  let recent = 0;
  for (let w = 0; w < reading.words && count < limit; w++) {
    const here = unit[w]!;
    const word = hash[w]!;
    out.index[count] = place(word ^ KIND_WORD);
    out.unit[count] = here;
    out.back[count++] = 0;
    if (w > 0 && unit[w - 1] === here) {
      out.index[count] = place(joinHash(hash[w - 1]!, word) ^ KIND_PAIR);
      out.unit[count] = here;
      out.back[count++] = 0;
    }
    const meaning = concept[w]!;
    if (meaning === 0) continue;
    out.index[count] = HALF + place(Math.imul(meaning, 0x9e3779b1) ^ KIND_CONCEPT);
    out.unit[count] = here;
    out.back[count++] = 0;
    const lightHere = frames ? BOTH : IS_LIGHT[meaning]!;
    for (let p = 0; p < recent; p++) {
      const other = recentConcept[p]!;
      if (w - recentWord[p]! > REACH || other === meaning) continue;
      const back = here - recentUnit[p]!;
      if (back > 2) continue;
      const low = meaning < other ? meaning : other;
      const high = meaning < other ? other : meaning;
      const light = lightHere + IS_LIGHT[other]!;
      if (light < 2) {
        out.index[count] = HALF + place(Math.imul(low * 256 + high, 0x9e3779b1) ^ KIND_CONCEPTS);
        out.unit[count] = here;
        out.back[count++] = back;
      }
      for (let q = 0; q < p; q++) {
        const third = recentConcept[q]!;
        if (light + IS_LIGHT[third]! > 1) continue;
        if (w - recentWord[q]! > REACH || third === meaning || third === other) continue;
        const backThird = here - recentUnit[q]!;
        if (backThird > 2) continue;
        const a = third < low ? third : low;
        const c = third > high ? third : high;
        const b = third + low + high - a - c;
        out.index[count] = HALF + place(Math.imul((a * 256 + b) * 256 + c, 0x9e3779b1) ^ KIND_TRIPLE);
        out.unit[count] = here;
        out.back[count++] = backThird > back ? backThird : back;
      }
    }
    if (recent === MAX_PAIRED) {
      for (let p = 1; p < MAX_PAIRED; p++) {
        recentWord[p - 1] = recentWord[p]!;
        recentConcept[p - 1] = recentConcept[p]!;
        recentUnit[p - 1] = recentUnit[p]!;
      }
      recent--;
    }
    recentWord[recent] = w;
    recentConcept[recent] = meaning;
    recentUnit[recent++] = here;
  }
  out.plain = count;
  out.count = count;
  if (!frames) return;
  const { skeleton, skeletonUnit } = reading;
  let first = 0;
  for (let s = 0; s < reading.skeletons && count < limit; s++) {
    const here = skeletonUnit[s]!;
    if (s > 0 && skeletonUnit[s - 1] !== here) first = s;
    let gram = skeleton[s]!;
    for (let length = 2; length <= 4; length++) {
      const at = s - length + 1;
      if (at < first - 1) break;
      gram = Math.imul(gram, 0x01000193) ^ (at < first ? SK_START : skeleton[at]!);
      out.index[count] = HALF + place(Math.imul(gram, 0x9e3779b1) ^ (KIND_SKELETON + length));
      out.unit[count] = here;
      out.back[count++] = 0;
    }
  }
  out.count = count;
}
