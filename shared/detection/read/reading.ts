/** Longest piece that is read at once; longer texts are read in pieces. UTF-16 units. */
export const MAX_PIECE = 32_768;
/** So many codes after a piece are looked at, to see whether an address begins there. */
export const READ_AHEAD = 2;
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

/** Entries beyond one per character: a unit's end, and what looks ahead. */
const SPARE = 8;

/** A text as words and units. A workspace lends these tables: they are filled again for every text. */
export class Reading {
  /** Longest piece that they have room for. UTF-16 units. */
  readonly size: number;
  words = 0;
  readonly hash: Int32Array;
  readonly concept: Uint8Array;
  readonly unit: Int32Array;
  /** Where the word begins in the text. */
  readonly start: Int32Array;
  /** KIND_ bits. */
  readonly kind: Uint8Array;
  /** Marks that shape a sentence (question, exclamation, colon): the code, and how many words stand before. */
  marks = 0;
  readonly mark: Uint16Array;
  readonly markAfter: Int32Array;
  /** Skeleton: one entry per word or mark, runs of other words merged. */
  skeletons = 0;
  readonly skeleton: Uint16Array;
  readonly skeletonUnit: Int32Array;
  units = 0;
  readonly unitStart: Int32Array;
  readonly unitEnd: Int32Array;
  /** After `readSentenceTypes`: how each unit speaks, and the index of its first word; one entry more marks the end. */
  readonly sentenceType: Uint8Array;
  readonly firstWord: Int32Array;
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
  /** While a word is read that goes on over a mark: what is known of it; of its beginnings the last that may be a stem. */
  readonly longWord = { end: 0, length: 0, letters: 0, hash: 0, likely: 0, hits: 0 };

  constructor(size: number) {
    const entries = size + SPARE;
    this.size = size;
    this.hash = new Int32Array(entries);
    this.concept = new Uint8Array(entries);
    this.unit = new Int32Array(entries);
    this.start = new Int32Array(entries);
    this.kind = new Uint8Array(entries);
    this.mark = new Uint16Array(entries);
    this.markAfter = new Int32Array(entries);
    this.skeleton = new Uint16Array(entries * 2);
    this.skeletonUnit = new Int32Array(entries * 2);
    this.unitStart = new Int32Array(entries);
    this.unitEnd = new Int32Array(entries);
    this.sentenceType = new Uint8Array(entries);
    this.firstWord = new Int32Array(entries + 1);
  }
}
