/**
 * How far the text around a sign takes part in what a recognizer finds there. Every recognizer states it; the gates of
 * live streams (`streaming/`) release only text that no finding can still reach. UTF-16 units.
 */
export interface Reach {
  /** A finding begins at most this far before its sign. */
  readonly before: number;
  /** Text further after the sign changes nothing; Infinity: all text after it may. */
  readonly after: number;
  readonly ends: ReachEnd;
}

/**
 * What ends a finding that is still open: a distance; the end of the word, from which `after` then counts; the end of
 * the piece that is read at a time, because its parts may be repeated any number of times; the end of the text.
 */
export type ReachEnd = 'at a distance' | 'with its word' | 'with its piece' | 'with the text';

/** The reach of a recognizer that also reads the model's words in responses. */
export interface LiveReach extends Reach {
  /**
   * What every finding contains, or has before it: a word that is not plain (`streaming/words.ts`), one of at least
   * eight characters with letters and digits, characters that stand apart, or a match in a word and the two characters
   * after it, in any case.
   */
  readonly sign: RegExp | 'an odd word' | 'a mixed word' | 'characters apart';
  /** Signs that are counted through the text: after `most` of them findings depend on all of the text before. */
  readonly counted?: { readonly sign: RegExp; readonly most: number };
}

/** The reach of a rule for responses; its signs are phrases of lowercase words. */
export interface SentenceReach extends Reach {
  readonly phrases: readonly string[];
}

/** A finding around its sign, at most `length` long. */
export const within = (length: number): Reach => ({
  before: length,
  after: length,
  ends: 'at a distance',
});

/** A finding with parts that may be repeated; `length`: the pieces that are read at a time, or their overlap. */
export const withinPiece = (length: number): Reach => ({
  before: length,
  after: length,
  ends: 'with its piece',
});

/** For recognizers that do not read the model's words in responses. */
export const NOT_IN_RESPONSES = 'not in responses';
