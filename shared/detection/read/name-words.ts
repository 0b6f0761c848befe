import * as lexicon from '../lexicon/tables.ts';
import { joinHash, phrases, wholeWords } from '../lexicon/tables.ts';
import type { TokenizedText } from './tokenized-text.ts';
import * as reading from './tokenized-text.ts';

// Local constants, see cut-words.
const { FILTER_MASK, PHRASE_GOES_ON } = lexicon;
const WORD_FILTER = wholeWords.filter;
const PHRASE_FILTER = phrases.filter;
const { KIND_LINK, KIND_NUMBER, KIND_RUN, SK_CONCEPT, SK_LINK, SK_NUMBER, SK_OTHER } = reading;

/**
 * The second half of reading: determines the meanings of whole words and phrases, and, with `frames`, the skeleton of
 * each unit. The last word of a phrase gets the phrase's meaning.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the words of every text
export function nameWords(out: TokenizedText, frames: boolean): void {
  const { hash: hashes, concept: meanings, unit: unitOf, kind: kinds, words } = out;
  const { skeleton, skeletonUnit, mark: marks, markAfter } = out;
  let skeletons = 0;
  let mark = 0;
  let concepts = 0;
  let framed = 0;
  let before = 0;
  // AFTER_ bits of phrases that began two and three words ago
  let goesOn = 0;
  for (let word = 0; word < words; word++) {
    const kind = kinds[word]!;
    const hash = hashes[word]!;
    const unit = unitOf[word]!;
    let concept = meanings[word]!;
    let frame = 0;
    let phrase = 0;
    const two = joinHash(before, hash);
    before = hash;
    if (goesOn !== 0 || ((PHRASE_FILTER[(two >>> 5) & FILTER_MASK]! >>> two) & 1) !== 0) {
      if (word > 0 && unitOf[word - 1] === unit) {
        const found = phraseAt(hashes, word, goesOn);
        phrase = found & 0xff;
        goesOn = found >>> 8;
      } else goesOn = 0;
    }
    if (kind !== KIND_RUN) {
      if (((WORD_FILTER[(hash >>> 5) & FILTER_MASK]! >>> hash) & 1) !== 0) {
        const whole = wholeWords.get(hash);
        concept = whole & 0xff || concept;
        frame = whole >>> 8;
        if (frame !== 0) framed++;
      }
      if (kind === KIND_NUMBER) frame = SK_NUMBER;
      else if ((kind & KIND_LINK) !== 0) frame = SK_LINK;
      if (phrase !== 0) {
        concept = phrase;
        // The meaning of the word before was that of the phrase's beginning.
        if (meanings[word - 1] === phrase) meanings[word - 1] = 0;
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

const AFTER_TWO = 1;
const AFTER_THREE = 2;

/**
 * Returns the concept of the two, three or four words that end at `word`; the longest phrase counts. `goesOn`: AFTER_
 * bits of the phrases that may continue; those for the next word are in the bits above the low byte of the result.
 */
function phraseAt(hashes: Int32Array, word: number, goesOn: number): number {
  const hash = hashes[word]!;
  const one = hashes[word - 1]!;
  const ofTwo = phrases.get(joinHash(one, hash));
  let phrase = ofTwo & 0xff;
  let next = ofTwo >= PHRASE_GOES_ON ? AFTER_TWO : 0;
  if ((goesOn & AFTER_TWO) !== 0) {
    const ofThree = phrases.get(joinHash(joinHash(hashes[word - 2]!, one), hash));
    phrase = ofThree & 0xff || phrase;
    if (ofThree >= PHRASE_GOES_ON) next |= AFTER_THREE;
  }
  if ((goesOn & AFTER_THREE) !== 0) {
    const three = joinHash(joinHash(hashes[word - 3]!, hashes[word - 2]!), one);
    phrase = phrases.get(joinHash(three, hash)) & 0xff || phrase;
  }
  return phrase | (next << 8);
}
