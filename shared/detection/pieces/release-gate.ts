import {
  ENDLESS,
  LOOK_AHEAD,
  LOOK_BACK,
  MARKUP,
  MAX_KEYWORD,
  MAX_PLUS,
  SENTENCE_KEYWORDS,
} from './look-ahead.ts';
import { PlainWords } from './plain-words.ts';
import { SentenceStarts } from './sentence-starts.ts';

/** A place at which a finding may be: nothing from `held` on is released before `ready` characters were read. */
interface Candidate {
  /** What is read begins before this. */
  readonly from: number;
  readonly held: number;
  readonly ready: number;
}

/** Longer words are not waited for: what is held would be read again and again. */
const MAX_WORD = 1_000;
/** Read before a candidate, so that what stands there means what it means in the whole text. */
const CONTEXT = 512;
/** Without plain words for so long there is no place to begin reading at. */
const MAX_WINDOW = 8_192;
/** At least so much is new in what is read again, so that reading stays linear in the text. */
const STRIDE = 512;

/** Keywords are looked for in so much text at a time. */
const KEYWORD_STRIDE = 64;

/** True where something is found in a part of the text. */
export type HasFindings = (part: string) => boolean;

/**
 * Says up to where a text that arrives in pieces can be released, because no finding begins or ends before that,
 * whatever follows. Plain words are released as they come. Where a word is not plain, the text around it is read as
 * soon as nothing that follows can change the result. Once something was found there, or something began that only
 * ends with the text, nothing more is released. Linear: what is read twice is bounded by CONTEXT a STRIDE.
 */
export class ReleaseGate {
  private readonly hasFindings: HasFindings;
  private readonly words = new PlainWords();
  /** The end of the text, from `base` on; looked into rarely, because every look joins its pieces. */
  private tail = '';
  private base = 0;
  /** From the first word on that has not ended. */
  private unread = '';
  private wordStart = 0;
  private released = 0;
  private isClosed = false;
  private candidates: Candidate[] = [];
  /** Places between two plain words, where reading can begin. */
  private boundaries: number[] = [0];
  private readonly starts = new SentenceStarts();
  private wasQuiet = true;
  /** Where the last of two quiet words begins: nothing that is not yet a candidate begins before it. */
  private quiet = 0;
  /** Up to where keywords were looked for; what was not searched, behind as much as a keyword may begin in. */
  private searched = 0;
  private unsearched = '';
  private lastRead = -STRIDE;
  private plusNumbers = 0;

  constructor(hasFindings: HasFindings) {
    this.hasFindings = hasFindings;
  }

  /** Adds a piece; returns up to where the text can be released. */
  push(piece: string): number {
    if (this.isClosed) return this.released;
    this.tail += piece;
    this.unread += piece;
    this.readWords();
    if (!this.isClosed) this.settle();
    this.trim();
    return this.released;
  }

  private readWords(): void {
    const { unread, wordStart } = this;
    let at = 0;
    for (;;) {
      const end = indexOfSpace(unread, at);
      // what follows a word may change what it is
      if (end < 0 || end + 1 >= unread.length) {
        if (unread.length - at > MAX_WORD) this.close();
        break;
      }
      if (end > at) this.readWord(unread.slice(at, end), wordStart + at, unread.slice(end, end + 2));
      if (this.isClosed) return;
      at = end + 1;
    }
    if (at === 0) return;
    this.unsearched += unread.slice(0, at);
    this.unread = unread.slice(at);
    this.wordStart += at;
    if (this.wordStart - this.searched >= KEYWORD_STRIDE) this.readKeywords();
  }

  /** `after`: two characters after it. */
  private readWord(word: string, start: number, after: string): void {
    const { words } = this;
    const wasLetters = words.isLetters;
    this.starts.read(word, start);
    // at the end of a line a sign of equality joins it to the next
    const isPlain = words.isPlain(word) && (!word.endsWith('=') || after.startsWith(' '));
    const wasQuiet = this.wasQuiet;
    this.wasQuiet = isPlain && words.isQuiet;
    if (wasQuiet && this.wasQuiet) this.quiet = start;
    if (isPlain) {
      if (wasLetters && words.isLetters && start - this.boundaries.at(-1)! > LOOK_BACK)
        this.boundaries.push(start);
      if (word.length <= MAX_WORD) return;
    }
    if (/\+\d/.test(word)) this.plusNumbers++;
    if (word.length > MAX_WORD || this.plusNumbers > MAX_PLUS || ENDLESS.test(word + after)) {
      this.close();
      return;
    }
    const ahead = MARKUP.test(word) ? LOOK_AHEAD.markup : LOOK_AHEAD.values;
    const from = start - LOOK_BACK;
    this.candidates.push({ from, held: Math.max(from, this.quiet), ready: start + word.length + ahead });
    if (words.isEndless) this.close();
  }

  /** Looks for keywords in the words that ended since, and in as much before them as a keyword may begin in. */
  private readKeywords(): void {
    const from = this.wordStart - this.unsearched.length;
    this.searched = this.wordStart;
    const text = this.unsearched.toLowerCase().replace(/\s/g, ' ');
    this.unsearched = this.unsearched.slice(-MAX_KEYWORD);
    for (const { index } of text.matchAll(SENTENCE_KEYWORDS)) {
      const start = from + index;
      const held = start - LOOK_BACK;
      this.candidates.push({ from: held, held, ready: start + LOOK_AHEAD.sentences });
    }
    this.candidates.sort((one, other) => one.from - other.from);
  }

  /** Reads the text around candidates that nothing can change any more. */
  private settle(): void {
    const { wordStart, candidates } = this;
    const next = candidates[0];
    if (next !== undefined && next.ready <= wordStart && wordStart - this.lastRead >= STRIDE) {
      const boundary = this.boundaryBefore(next.from);
      this.lastRead = wordStart;
      const part = this.tail.slice(boundary - this.base, wordStart - this.base);
      if (part.length > MAX_WINDOW || this.hasFindings(part)) {
        this.close();
        return;
      }
      this.candidates = candidates.filter(({ ready }) => ready > wordStart);
    }
    this.release();
  }

  private release(): void {
    const quiet = Math.min(this.quiet, this.starts.heldFrom ?? this.quiet);
    const searched = this.searched - LOOK_BACK;
    const safe = this.candidates.reduce(
      (least, { held }) => Math.min(least, held),
      Math.max(quiet, searched),
    );
    if (safe <= this.released) return;
    // no half of a character; a word begins with a whole one
    const isHalf = safe !== quiet && isLowSurrogate(this.tail.charCodeAt(safe - this.base));
    this.released = isHalf ? safe - 1 : safe;
  }

  private boundaryBefore(from: number): number {
    return this.boundaries.findLast((boundary) => boundary <= from - CONTEXT) ?? this.boundaries[0]!;
  }

  /** Nothing more is released. */
  private close(): void {
    this.isClosed = true;
    this.tail = '';
    this.unread = '';
    this.unsearched = '';
  }

  /** Forgets what no candidate can need. */
  private trim(): void {
    if (this.isClosed || this.tail.length < MAX_WINDOW) return;
    const boundary = this.boundaryBefore(this.released - LOOK_BACK);
    if (boundary === this.base) return;
    this.boundaries = this.boundaries.filter((one) => one >= boundary);
    this.tail = this.tail.slice(boundary - this.base);
    this.base = boundary;
  }
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

function indexOfSpace(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 32 || (code >= 9 && code <= 13)) return at;
  }
  return -1;
}
