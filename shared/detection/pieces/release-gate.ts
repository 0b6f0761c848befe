import { SECRET_KINDS } from '../secrets/kinds.ts';
import { cannotBeKey } from './cannot-be-key.ts';
import {
  ENDLESS,
  KEY_CONTEXT,
  KEY_LOOK_AHEAD,
  LOOK_AHEAD,
  LOOK_BACK,
  MARKUP,
  MAX_KEYWORD,
  MAX_PLUS,
  PASSWORD_LOOK_AHEAD,
  PASSWORD_WORD_END,
  SENTENCE_KEYWORDS,
  SPELLED_LOOK_AHEAD,
  TAG,
} from './look-ahead.ts';
import { PlainWords } from './plain-words.ts';
import { SentenceStarts } from './sentence-starts.ts';

/** A place at which a finding may be: nothing from `held` on is released before `ready` characters were read. */
interface Candidate {
  /** What is read begins before this. */
  readonly from: number;
  readonly held: number;
  readonly ready: number;
  /** An address or a tag: what is read begins where words are plain. */
  readonly isMarkup: boolean;
}

/** Longer words are not waited for: what is held would be read again and again. */
const MAX_WORD = 1_000;
/** Read before a candidate, so that what stands there means what it means in the whole text. */
const CONTEXT = 512;
/** Without plain words for so long there is no place to begin reading at. */
const MAX_WINDOW = 8_192;
/** At least so much is new in what is read again, so that reading stays linear in the text. */
const STRIDE = 512;
const KEY_STRIDE = 160;

/** Words that what follows can make something else of: code that runs, an escape, a line that goes on. */
const MAY_GO_ON = /[^A-Za-z,.!?]|(?:eval|javascript)$/i;
/** A key may begin that is spelled letter by letter. */
const ENDS_ALONE = /(?:^|[^A-Za-z0-9])[A-Za-z0-9]$/;
const ADDRESS = /:\/\/|\]\(/;

/** What of a text may stand behind its last blank. */
const SENTENCE_END = /^["'“‘(*`]{0,3}([A-Za-z][a-z]{2,12})[.,:;!?]["'”’)*`]{0,3}$/;
/** The letters that keys begin with. */
const KEY_HEADS = SECRET_KINDS.map(({ form }) => /^[A-Za-z]*/.exec(form)![0].toLowerCase());
/** May be a part of a key if one is named before it. */
const KEY = 'x9ABdEf34jsKKw9032jd8SJW29skd02k';

/** Keywords are looked for in so much text at a time. */
const KEYWORD_STRIDE = 64;

/** True where something is found in a part of the text; `isToken`: it has neither markup nor a disclosure. */
export type HasFindings = (part: string, isToken: boolean) => boolean;

/**
 * Says up to where a text that arrives in pieces can be released, because no finding begins or ends before that,
 * whatever follows. Plain words are released as they come. Where a word is not plain, the text around it is read as
 * soon as nothing that follows can change the result. Once something was found there, or something began that only
 * ends with the text, nothing more is released. Linear: what is read twice is bounded by CONTEXT a STRIDE.
 */
export class ReleaseGate {
  private readonly hasFindings: HasFindings;
  private readonly onlyKeys: boolean;
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
  private mayDisclose = false;
  private lastRead = -STRIDE;
  private plusNumbers = 0;

  /** `onlyKeys`: personal data is no finding. */
  constructor(hasFindings: HasFindings, onlyKeys = false) {
    this.hasFindings = hasFindings;
    this.onlyKeys = onlyKeys;
  }

  /** Adds a piece; returns up to where the text can be released. */
  push(piece: string): number {
    if (this.isClosed) return this.released;
    this.tail += piece;
    this.unread += piece;
    const { wordStart } = this;
    this.readWords();
    if (this.wordStart === wordStart) return this.released;
    if (!this.isClosed) this.settle();
    this.trim();
    return this.released;
  }

  /**
   * Another text goes on instead: the last word can be released, though this text may still go on. Only where keys alone
   * are findings, and after a plain word that ends a sentence.
   */
  pause(): number {
    const { unread, starts, candidates, words } = this;
    const isQuiet = this.onlyKeys && this.wasQuiet && !this.mayDisclose && !words.isOpen;
    const mayLeave = isQuiet && candidates.length === 0 && starts.heldFrom === null;
    if (this.isClosed || !mayLeave || !isSentenceEnd(unread.trimEnd())) return this.released;
    const end = this.base + this.tail.length;
    const part = this.tail.slice(Math.max(this.quiet - KEY_CONTEXT, this.base) - this.base);
    if (end > this.released && !this.hasFindings(part + KEY, true)) this.released = end;
    return this.released;
  }

  private readWords(): void {
    const { unread, wordStart } = this;
    let at = 0;
    for (;;) {
      const end = indexOfSpace(unread, at);
      // what follows a word may change what it is
      if (end < 0 || (end + 1 >= unread.length && MAY_GO_ON.test(unread.slice(at, end)))) {
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
    if (this.wordStart - this.searched >= KEYWORD_STRIDE) this.search();
  }

  /** `after`: two characters after it. */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: runs for every word of a live stream, on the state of the gate
  private readWord(word: string, start: number, after: string): void {
    const { words } = this;
    const wasLetters = words.isLetters;
    const namesPassword = PASSWORD_WORD_END.test(word);
    if (!namesPassword && this.onlyKeys && this.starts.isIdle && words.passOrdinary(word)) {
      this.wasQuiet = true;
      this.quiet = start + word.length;
      if (wasLetters) this.noteBoundary(start);
      return;
    }
    this.starts.read(word, start);
    this.mayDisclose ||= this.starts.heldFrom !== null;
    // at the end of a line a sign of equality joins it to the next
    const mayEnd = !word.endsWith('=') || after.startsWith(' ');
    const isPlain = (words.isPlain(word) || (this.onlyKeys && !words.isOpen && cannotBeKey(word))) && mayEnd;
    const wasQuiet = this.wasQuiet;
    this.wasQuiet = isPlain && (words.isQuiet || (this.onlyKeys && !ENDS_ALONE.test(word)));
    if (this.wasQuiet && this.onlyKeys) this.quiet = start + word.length;
    else if (wasQuiet && this.wasQuiet) this.quiet = start;
    if (isPlain && !namesPassword) {
      if (wasLetters && words.isLetters) this.noteBoundary(start);
      if (word.length <= MAX_WORD) return;
    }
    if (/\+\d/.test(word)) this.plusNumbers++;
    if (word.length > MAX_WORD || this.plusNumbers > MAX_PLUS || ENDLESS.test(word + after)) {
      this.close();
      return;
    }
    const isMarkup = (this.onlyKeys ? TAG : MARKUP).test(word);
    const keys = words.isOpen ? SPELLED_LOOK_AHEAD : KEY_LOOK_AHEAD;
    const values = namesPassword ? PASSWORD_LOOK_AHEAD : this.onlyKeys ? keys : LOOK_AHEAD.values;
    const from = start - LOOK_BACK;
    const ready = start + word.length + (isMarkup ? LOOK_AHEAD.markup : values);
    this.candidates.push({ from, held: Math.max(from, this.quiet), ready, isMarkup });
    if (words.isEndless) this.close();
  }

  private noteBoundary(start: number): void {
    if (start - this.boundaries.at(-1)! > LOOK_BACK) this.boundaries.push(start);
  }

  /** Where personal data is no finding, what has a keyword and can still leave begins with a disclosure. */
  private search(): void {
    if (!this.onlyKeys || this.mayDisclose) this.readKeywords();
    else {
      this.searched = this.wordStart;
      this.unsearched = this.unsearched.slice(-MAX_KEYWORD);
    }
    this.mayDisclose = this.starts.heldFrom !== null;
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
      const ready = start + LOOK_AHEAD.sentences;
      this.candidates.push({ from: held, held, ready, isMarkup: true });
    }
    this.candidates.sort((one, other) => one.from - other.from);
  }

  /** Reads the text around candidates that nothing can change any more. */
  private settle(): void {
    const { wordStart, candidates } = this;
    if (candidates.length === 0) {
      this.release();
      return;
    }
    const ready = candidates.filter((one) => one.ready <= wordStart);
    const stride = this.onlyKeys && !ready.some(({ isMarkup }) => isMarkup) ? KEY_STRIDE : STRIDE;
    if (ready.length > 0 && wordStart - this.lastRead >= stride) {
      const boundary = Math.min(...ready.map((one) => this.beginOf(one)));
      this.lastRead = wordStart;
      const part = this.tail.slice(boundary - this.base, wordStart - this.base);
      const isToken = this.onlyKeys && !ready.some(({ isMarkup }) => isMarkup) && !ADDRESS.test(part);
      if (part.length > MAX_WINDOW || this.hasFindings(part, isToken)) {
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
    let safe = Math.max(quiet, searched);
    for (const { held } of this.candidates) if (held < safe) safe = held;
    if (safe <= this.released) return;
    // no half of a character; a word begins with a whole one
    const isHalf = safe !== quiet && isLowSurrogate(this.tail.charCodeAt(safe - this.base));
    this.released = isHalf ? safe - 1 : safe;
  }

  /** Where reading begins, so that the place means what it means in the whole text. */
  private beginOf({ from, isMarkup }: Candidate): number {
    if (!this.onlyKeys || isMarkup) return this.boundaryBefore(from);
    return Math.max(this.base, from + LOOK_BACK - KEY_CONTEXT);
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

function isSentenceEnd(word: string): boolean {
  if (word === '') return true;
  const last = SENTENCE_END.exec(word)?.[1];
  if (last === undefined || !cannotBeKey(word)) return false;
  const lower = last.toLowerCase();
  return !KEY_HEADS.some((head) => head.startsWith(lower));
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
