import type { TokenizedText } from '../read/tokenized-text.ts';

/** One slot per low bits of a hash; the first word keeps it. */
const SLOT_MASK = (1 << 14) - 1;
const SEVERAL = -1;
/** Longer words are content words. */
const LONG = 5;

/** A text's longer words, and whether each occurs in one unit or in several. Borrowed from a workspace. */
export class ContentWords {
  private readonly word = new Int32Array(SLOT_MASK + 1);
  private readonly unit = new Int32Array(SLOT_MASK + 1);
  /** The turn in which each slot was filled; slots of earlier turns are empty. */
  private readonly turn = new Uint32Array(SLOT_MASK + 1);
  private now = 0;

  /** Records for each longer word its unit, or that it occurs in several. */
  note(reading: TokenizedText): void {
    const { hash, unit: unitOf, start, words } = reading;
    const { word, unit, turn } = this;
    const now = (this.now + 1) >>> 0;
    this.now = now;
    for (let w = 0; w < words; w++) {
      if (w + 1 < words && start[w + 1]! - start[w]! <= LONG) continue;
      const slot = hash[w]! & SLOT_MASK;
      if (turn[slot] !== now) {
        turn[slot] = now;
        word[slot] = hash[w]!;
        unit[slot] = unitOf[w]!;
      } else if (word[slot] === hash[w] && unit[slot] !== unitOf[w]) unit[slot] = SEVERAL;
    }
  }

  /**
   * Rates how many of a unit's longer words also occur in other units: 0 it has no longer words, 1 none of one or two,
   * 2 none of more, 3 less than a third, 4 a third or more.
   */
  cohesionOf(reading: TokenizedText, ofUnit: number): number {
    const { hash, start, firstWord } = reading;
    let own = 0;
    let common = 0;
    for (let w = firstWord[ofUnit]!; w < firstWord[ofUnit + 1]!; w++) {
      if (w + 1 < reading.words && start[w + 1]! - start[w]! <= LONG) continue;
      own++;
      const slot = hash[w]! & SLOT_MASK;
      if (this.word[slot] === hash[w] && this.unit[slot] === SEVERAL) common++;
    }
    if (own === 0) return 0;
    if (common === 0) return own < 3 ? 1 : 2;
    return common * 3 < own ? 3 : 4;
  }
}
