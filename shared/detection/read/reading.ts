/** Longest piece that is read at once; longer texts are read in pieces. UTF-16 units. */
export const MAX_PIECE = 32_768;
/** So many long words are remembered of a piece. */
export const MAX_LONG_WORDS = 32;

/** Skeleton codes below 256 are frame words and request verbs; these stand for the rest. */
export const SK_OTHER = 1001;
export const SK_NUMBER = 1002;
export const SK_LINK = 1003;
export const SK_QUESTION = 1004;
export const SK_EXCLAMATION = 1005;
export const SK_COLON = 1006;
export const SK_START = 1007;
/** Concepts come above. */
export const SK_CONCEPT = 1100;

/** What a word is by its characters: bits. Most words are none of it. */
export const KIND_NUMBER = 1;
/** Letters and digits. */
export const KIND_MIXED = 2;
/** One letter. */
export const KIND_SINGLE = 4;
/** 16 characters and more. */
export const KIND_LONG = 8;
/** An address, read as one word. */
export const KIND_LINK = 16;
/** Of a script without blanks: its meaning is known already. */
export const KIND_RUN = 32;

/**
 * A text as words and units. One such table is filled again for every text, so that reading allocates nothing;
 * what is in it is only true until the next `readText`.
 */
export class Reading {
  words = 0;
  readonly hash = new Int32Array(MAX_PIECE + 8);
  readonly concept = new Uint8Array(MAX_PIECE + 8);
  readonly unit = new Int32Array(MAX_PIECE + 8);
  /** Where the word begins in the text. */
  readonly start = new Int32Array(MAX_PIECE + 8);
  /** KIND_ bits. */
  readonly kind = new Uint8Array(MAX_PIECE + 8);
  /** Marks that shape a sentence (question, exclamation, colon): the code, and how many words stand before. */
  marks = 0;
  readonly mark = new Uint16Array(MAX_PIECE + 8);
  readonly markAfter = new Int32Array(MAX_PIECE + 8);
  /** Skeleton: one entry per word or mark, runs of other words merged. */
  skeletons = 0;
  readonly skeleton = new Uint16Array(MAX_PIECE * 2 + 16);
  readonly skeletonUnit = new Int32Array(MAX_PIECE * 2 + 16);
  units = 0;
  readonly unitStart = new Int32Array(MAX_PIECE + 8);
  readonly unitEnd = new Int32Array(MAX_PIECE + 8);
  /** Units of four words and more: what may be an order by chance. Cells and labels are not. */
  sentences = 0;
  /** Words of known meaning in all. */
  concepts = 0;
  /** Words of an English sentence's frame in all. */
  frames = 0;
  /** Words of digits only. */
  numbers = 0;
  /** Words that mix letters and digits, and single letters. */
  mixed = 0;
  single = 0;
  /** Where words of 16 characters and more stand; the first few. */
  longWords = 0;
  readonly longWordStart = new Int32Array(MAX_LONG_WORDS);
}
