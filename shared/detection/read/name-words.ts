import { FILTER_MASK, joinHash, phraseEnds, phrases, wholeWords } from '../lexicon/tables.ts';
import {
  KIND_LINK,
  KIND_LONG,
  KIND_MIXED,
  KIND_NUMBER,
  KIND_RUN,
  KIND_SINGLE,
  MAX_LONG_WORDS,
  type Reading,
  SK_CONCEPT,
  SK_LINK,
  SK_NUMBER,
  SK_OTHER,
} from './reading.ts';

/**
 * The second half of reading: what whole words and phrases mean, and, with `frames`, the skeleton of each unit.
 * A phrase stands for the meaning of its last word.
 */
export function nameWords(out: Reading, frames: boolean): void {
  const { hash: hashes, concept: meanings, unit: unitOf, kind: kinds, words } = out;
  const { skeleton, skeletonUnit, mark: marks, markAfter } = out;
  const wordFilter = wholeWords.filter;
  const endFilter = phraseEnds;
  const mask = FILTER_MASK;
  out.numbers = 0;
  out.mixed = 0;
  out.single = 0;
  out.longWords = 0;
  let skeletons = 0;
  let mark = 0;
  let concepts = 0;
  let framed = 0;
  for (let word = 0; word < words; word++) {
    const kind = kinds[word]!;
    const hash = hashes[word]!;
    const unit = unitOf[word]!;
    let concept = meanings[word]!;
    let frame = 0;
    if (kind !== 0) tally(kind, word, out);
    if (kind !== KIND_RUN) {
      if (wordFilter[hash & mask] !== 0) {
        const whole = wholeWords.get(hash);
        concept = whole & 0xff || concept;
        frame = whole >>> 8;
        if (frame !== 0) framed++;
      }
      if (kind === KIND_NUMBER) frame = SK_NUMBER;
      else if ((kind & KIND_LINK) !== 0) frame = SK_LINK;
      const lengths = endFilter[hash & mask]!;
      if (lengths !== 0 && word > 0 && unitOf[word - 1] === unit) {
        const phrase = phraseAt(hashes, unitOf, word, lengths);
        if (phrase !== 0) {
          concept = phrase;
          // the word before was only its beginning
          if (meanings[word - 1] === phrase) meanings[word - 1] = 0;
        }
      }
      meanings[word] = concept;
    }
    if (concept !== 0) concepts++;
    if (!frames) continue;
    for (; mark < out.marks && markAfter[mark]! <= word; mark++) {
      skeleton[skeletons] = marks[mark]!;
      skeletonUnit[skeletons++] = unitOf[markAfter[mark]! - 1]!;
    }
    const sign = concept !== 0 ? SK_CONCEPT + concept : frame !== 0 ? frame : SK_OTHER;
    if (
      sign === SK_OTHER &&
      skeletons > 0 &&
      skeleton[skeletons - 1] === SK_OTHER &&
      skeletonUnit[skeletons - 1] === unit
    )
      continue;
    skeleton[skeletons] = sign;
    skeletonUnit[skeletons++] = unit;
  }
  if (frames) {
    for (; mark < out.marks; mark++) {
      skeleton[skeletons] = marks[mark]!;
      skeletonUnit[skeletons++] = unitOf[markAfter[mark]! - 1]!;
    }
  }
  out.skeletons = skeletons;
  out.concepts = concepts;
  out.frames = framed;
}

function tally(kind: number, word: number, out: Reading): void {
  if (kind === KIND_NUMBER) out.numbers++;
  if ((kind & KIND_MIXED) !== 0) out.mixed++;
  if ((kind & KIND_SINGLE) !== 0) out.single++;
  if ((kind & KIND_LONG) !== 0 && out.longWords < MAX_LONG_WORDS)
    out.longWordStart[out.longWords++] = out.start[word]!;
}

const OF_TWO = 1 << 2;
const OF_THREE = 1 << 3;
const OF_FOUR = 1 << 4;

/** The concept of the two, three or four words of one unit that end at `word`; the longest counts. `lengths` are those there may be. */
function phraseAt(hashes: Int32Array, unitOf: Int32Array, word: number, lengths: number): number {
  const unit = unitOf[word];
  const hash = hashes[word]!;
  let phrase = 0;
  if ((lengths & OF_TWO) !== 0) phrase = phrases.get(joinHash(hashes[word - 1]!, hash));
  if (lengths < OF_THREE || word < 2 || unitOf[word - 2] !== unit) return phrase;
  const two = joinHash(hashes[word - 2]!, hashes[word - 1]!);
  if ((lengths & OF_THREE) !== 0) phrase = phrases.get(joinHash(two, hash)) || phrase;
  if (lengths < OF_FOUR || word < 3 || unitOf[word - 3] !== unit) return phrase;
  const three = joinHash(joinHash(hashes[word - 3]!, hashes[word - 2]!), hashes[word - 1]!);
  return phrases.get(joinHash(three, hash)) || phrase;
}
