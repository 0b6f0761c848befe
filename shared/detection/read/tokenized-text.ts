/** The longest piece that is read in one pass; longer texts are read in pieces. UTF-16 units. */
export const MAX_PIECE = 32_768;
/** The number of codes read after a piece, to recognize an address there. */
export const READ_AHEAD = 2;
/** The most long words stored for a piece. */
export const MAX_LONG_WORDS = 32;

/** Skeleton codes below 256 are frame words and request verbs; these stand for the rest. */
export const SK_OTHER = 1001;
export const SK_NUMBER = 1002;
export const SK_LINK = 1003;
export const SK_QUESTION = 1004;
export const SK_EXCLAMATION = 1005;
export const SK_COLON = 1006;
export const SK_START = 1007;
/** Codes of concepts begin here. */
export const SK_CONCEPT = 1100;

/** The kind of a word by its characters, as bits. Most words have none. */
export const KIND_NUMBER = 1;
/** Letters and digits. */
export const KIND_MIXED = 2;
/** One letter. */
export const KIND_SINGLE = 4;
/** 16 characters and more. */
export const KIND_LONG = 8;
/** An address, read as one word. */
export const KIND_LINK = 16;
/** A word of a script without spaces: its meaning is already known. */
export const KIND_RUN = 32;

/** Additional entries beyond one per character, for the end of a unit and for lookahead. */
const SPARE = 8;

/** A text as words and units. Borrowed from a workspace, and filled again for every text. */
export class TokenizedText {
  /** The longest piece that fits. UTF-16 units. */
  readonly size: number;
  words = 0;
  readonly hash: Int32Array;
  readonly concept: Uint8Array;
  readonly unit: Int32Array;
  /** Offset of the word in the text. */
  readonly start: Int32Array;
  /** KIND_ bits. */
  readonly kind: Uint8Array;
  /** Marks that shape a sentence (question, exclamation, colon): the code, and the number of words before it. */
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
  /**
   * After `readSentenceTypes`: the type of each unit, and the index of its first word; one more entry marks the end.
   */
  readonly sentenceType: Uint8Array;
  readonly firstWord: Int32Array;
  /** Units of four words or more, which can be an instruction by chance; cells and labels cannot. */
  sentences = 0;
  /** The number of words with a meaning. */
  concepts = 0;
  /** The number of English function words and request verbs. */
  frames = 0;
  /** The number of words of digits only. */
  numbers = 0;
  /** The number of words that mix letters and digits, and of single letters. */
  mixed = 0;
  single = 0;
  /** The first words of 16 characters or more: their number and offsets. */
  longWords = 0;
  readonly longWordStart = new Int32Array(MAX_LONG_WORDS);
  /** State while a word is read that continues after a mark; `stem`: the meaning of its longest stem beyond the mark. */
  readonly longWord = { end: 0, length: 0, letters: 0, hash: 0, stem: 0 };

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
