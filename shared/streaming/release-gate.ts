import {
  CARE,
  type GateReach,
  KEY_HEADS,
  MAX_PHRASE,
  MAX_WINDOW,
  normalizeText,
  originalRange,
  PHRASES,
  PLAIN,
  REACH_OF_ALL,
  REACH_OF_KEYS,
  reachOfPhrase,
  Workspace,
} from '../detection/index.ts';
import { isLowSurrogate } from '../text/index.ts';
import { cannotBeKey, isMixedWord, PlainWords, SentenceStarts } from './words.ts';

/** A position of a possible finding: nothing from `held` on is released before `ready` characters were read. */
interface Candidate {
  /** Reading begins before this offset. */
  readonly from: number;
  readonly held: number;
  readonly ready: number;
  /** True for an address or a tag: reading begins at a boundary of plain words. */
  readonly isMarkup: boolean;
}

/** The gate closes at longer words, because the held text would be read again and again. */
const MAX_WORD = 1_000;
/** The amount of text read before a candidate, so that it has the same meaning as in the whole text. */
const CONTEXT = 512;
/** The minimum of new text before the text is read again, so that reading stays linear. */
const STRIDE = 512;
const KEY_STRIDE = 160;

/** Words that the text after them can turn into something else: code, an escape, a continued line. */
const MAY_GO_ON = /[^A-Za-z,.!?]|(?:eval|javascript)$/i;
/** The possible beginning of a key that is spelled letter by letter. */
const ENDS_ALONE = /(?:^|[^A-Za-z0-9])[A-Za-z0-9]$/;
const ADDRESS = /:\/\/|\]\(/;

/** The form of a last word that can be released before its end is known. */
const SENTENCE_END = /^["'“‘(*`]{0,3}([A-Za-z][a-z]{2,12})[.,:;!?]["'”’)*`]{0,3}$/;
/** A value that is a secret if a name of a key precedes it. */
const KEY = 'x9ABdEf34jsKKw9032jd8SJW29skd02k';

/** The amount of text that is searched for keywords at a time. */
const KEYWORD_STRIDE = 64;

/** Returns true if a part of the text has findings; `isToken`: it has neither markup nor a disclosure. */
export type HasFindings = (part: string, isToken: boolean) => boolean;

/**
 * Determines up to which offset a text that arrives in pieces can be released, because no finding begins or ends before
 * it, whatever follows. Plain words are released as they arrive. The text around any other word is read as soon as
 * later text cannot change the result. After a finding, or the beginning of something that only ends with the text,
 * nothing more is released. Linear: at most CONTEXT characters are read again per STRIDE.
 */
export class ReleaseGate {
  private readonly hasFindings: HasFindings;
  private readonly onlyKeys: boolean;
  private readonly reach: GateReach;
  private readonly workspace: Workspace;
  private readonly words = new PlainWords();
  /** The end of the text, from `base` on; rarely accessed, because each access joins its pieces. */
  private tail = '';
  private base = 0;
  /** The text from the first word on that has not ended. */
  private unread = '';
  private wordStart = 0;
  private released = 0;
  private isClosed = false;
  private candidates: Candidate[] = [];
  /** The least of their offsets: where the text is held from, and where the first of them is ready. */
  private heldFrom = Number.POSITIVE_INFINITY;
  private readyFrom = Number.POSITIVE_INFINITY;
  /** Offsets between two plain words, where reading can begin. */
  private boundaries: number[] = [0];
  private readonly starts = new SentenceStarts();
  private wasQuiet = true;
  /** The start of the last of two quiet words: no finding that is not yet a candidate begins before it. */
  private quiet = 0;
  /**
   * `searched`: the end of the text searched for keywords. `unsearched`: the text after it, and before it as much as a
   * keyword may begin in.
   */
  private searched = 0;
  private unsearched = '';
  /** The end of the last word that is read as another. */
  private foldedUntil = 0;
  private mayDisclose = false;
  private lastRead = -STRIDE;
  /** How much new text there has to be at least, as far as known. */
  private leastStride = KEY_STRIDE;
  private readonly counts: number[];

  /** `onlyKeys`: personal data is not a finding. */
  constructor(hasFindings: HasFindings, onlyKeys = false, workspace = new Workspace()) {
    this.hasFindings = hasFindings;
    this.onlyKeys = onlyKeys;
    this.reach = onlyKeys ? REACH_OF_KEYS : REACH_OF_ALL;
    this.workspace = workspace;
    this.counts = this.reach.counted.map(() => 0);
  }

  /** Adds a piece; returns the offset up to which the text can be released. */
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
   * Called if another text continues: the last word can be released, though this text may still continue. Only if keys
   * are the only findings, and after a plain word that ends a sentence.
   */
  pause(): number {
    const { unread, starts, candidates, words } = this;
    const isQuiet = this.onlyKeys && this.wasQuiet && !this.mayDisclose && !words.isOpen;
    const mayLeave = isQuiet && candidates.length === 0 && starts.heldFrom === null;
    if (this.isClosed || !mayLeave || !isSentenceEnd(unread.trimEnd())) return this.released;
    const end = this.base + this.tail.length;
    const part = this.tail.slice(Math.max(this.quiet - this.reach.beforeOddWord, this.base) - this.base);
    if (end > this.released && !this.hasFindings(part + KEY, true)) this.released = end;
    return this.released;
  }

  private readWords(): void {
    const { unread, wordStart } = this;
    let at = 0;
    for (;;) {
      const end = indexOfSpace(unread, at);
      // The text after a word may change its meaning.
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

  /** Reads a word; `after`: the two characters after it. */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: runs for every word of a live stream, on the state of the gate
  private readWord(word: string, start: number, after: string): void {
    const { words, reach } = this;
    const wasLetters = words.isLetters;
    let isName = reach.names.test(word);
    if (!isName && this.onlyKeys && this.starts.isIdle && words.passOrdinary(word)) {
      this.wasQuiet = true;
      this.quiet = start + word.length;
      if (wasLetters) this.noteBoundary(start);
      return;
    }
    this.starts.read(word, start);
    this.mayDisclose ||= this.starts.heldFrom !== null;
    // An equals sign at the end of a line joins the word to the next line.
    const mayEnd = !word.endsWith('=') || after.startsWith(' ');
    const isHarmless =
      (words.isPlain(word) || (this.onlyKeys && !words.isOpen && cannotBeKey(word))) && mayEnd;
    const isMixed = this.onlyKeys && isMixedWord(word);
    const isPlain = isHarmless && !isMixed;
    const wasQuiet = this.wasQuiet;
    this.wasQuiet = isPlain && (words.isQuiet || (this.onlyKeys && !ENDS_ALONE.test(word)));
    if (this.wasQuiet && this.onlyKeys) this.quiet = start + word.length;
    else if (wasQuiet && this.wasQuiet) this.quiet = start;
    if (isPlain && !isName) {
      if (wasLetters && words.isLetters) this.noteBoundary(start);
      if (word.length <= MAX_WORD) return;
    }
    // Look-alike letters are not plain.
    const isFolded = !isHarmless && mayBeFolded(word);
    if (isFolded) this.foldedUntil = start + word.length;
    const folded = isFolded ? normalizeText(word, this.workspace).text : word;
    isName ||= folded !== word && reach.names.test(folded);
    if (word.length > MAX_WORD || ((isName || !isHarmless) && this.isEndless(word, folded, after))) {
      this.close();
      return;
    }
    const isMarkup = reach.markup.test(folded);
    const from = start - reach.before;
    const further = Math.max(
      isMarkup ? reach.afterMarkup : 0,
      isName ? reach.afterName : 0,
      isMixed ? reach.afterMixedWord : 0,
      words.isOpen ? reach.afterApart : 0,
    );
    const ready = start + word.length + Math.max(reach.afterOddWord, further);
    this.add({ from, held: Math.max(from, this.quiet), ready, isMarkup });
    if (words.isEndless) this.close();
  }

  /** True for a sign of what only the end of the text ends, and after the most signs of a kind. */
  private isEndless(word: string, folded: string, after: string): boolean {
    const { endless, counted } = this.reach;
    for (let at = 0; at < counted.length; at++)
      if (counted[at]!.sign.test(word) && ++this.counts[at]! > counted[at]!.most) return true;
    return endless.test(word + after) || (folded !== word && endless.test(folded + after));
  }

  private noteBoundary(start: number): void {
    if (start - this.boundaries.at(-1)! > this.reach.before) this.boundaries.push(start);
  }

  /**
   * Searches for keywords. If keys are the only findings, only after the beginning of a disclosure: text before any
   * other keyword was already released.
   */
  private search(): void {
    if (!this.onlyKeys || this.mayDisclose) this.readKeywords();
    else {
      this.searched = this.wordStart;
      this.unsearched = this.unsearched.slice(-MAX_PHRASE);
    }
    this.mayDisclose = this.starts.heldFrom !== null;
  }

  /** Searches the words that ended since the last search, and as much before them as a keyword may begin in. */
  private readKeywords(): void {
    const from = this.wordStart - this.unsearched.length;
    this.searched = this.wordStart;
    const read = this.foldedUntil > from ? normalizeText(this.unsearched, this.workspace) : null;
    const text = (read?.text ?? this.unsearched).toLowerCase().replace(/\s/g, ' ');
    this.unsearched = this.unsearched.slice(-MAX_PHRASE);
    for (const { 0: phrase, index } of text.matchAll(PHRASES)) {
      const { before, after } = reachOfPhrase(phrase);
      const start = from + (read === null ? index : originalRange(read, index, index + phrase.length).start);
      const held = start - before;
      const ready = start + after;
      this.add({ from: held, held, ready, isMarkup: true });
    }
    this.candidates.sort((one, other) => one.from - other.from);
  }

  private add(candidate: Candidate): void {
    this.candidates.push(candidate);
    this.heldFrom = Math.min(this.heldFrom, candidate.held);
    this.readyFrom = Math.min(this.readyFrom, candidate.ready);
  }

  /** Keeps those that are not ready. */
  private drop(): void {
    const left = this.candidates.filter(({ ready }) => ready > this.wordStart);
    this.candidates = [];
    this.heldFrom = Number.POSITIVE_INFINITY;
    this.readyFrom = Number.POSITIVE_INFINITY;
    for (const one of left) this.add(one);
  }

  /** Reads the text around the candidates that later text cannot change. */
  private settle(): void {
    const { wordStart, candidates } = this;
    // Many candidates can wait: they are looked at only where one may be read.
    if (this.readyFrom > wordStart || wordStart - this.lastRead < this.leastStride) {
      this.release();
      return;
    }
    const ready = candidates.filter((one) => one.ready <= wordStart);
    const stride = this.onlyKeys && !ready.some(({ isMarkup }) => isMarkup) ? KEY_STRIDE : STRIDE;
    this.leastStride = stride;
    if (wordStart - this.lastRead >= stride) {
      this.leastStride = KEY_STRIDE;
      const boundary = Math.min(...ready.map((one) => this.beginOf(one)));
      this.lastRead = wordStart;
      const part = this.tail.slice(boundary - this.base, wordStart - this.base);
      const isToken = this.onlyKeys && !ready.some(({ isMarkup }) => isMarkup) && !ADDRESS.test(part);
      if (part.length > MAX_WINDOW || this.hasFindings(part, isToken)) {
        this.close();
        return;
      }
      this.drop();
    }
    this.release();
  }

  private release(): void {
    const quiet = Math.min(this.quiet, this.starts.heldFrom ?? this.quiet);
    const searched = this.searched - this.reach.before;
    const safe = Math.min(Math.max(quiet, searched), this.heldFrom);
    if (safe <= this.released) return;
    // Does not split a surrogate pair; `quiet` is the start of a word.
    const isHalf = safe !== quiet && isLowSurrogate(this.tail.charCodeAt(safe - this.base));
    this.released = isHalf ? safe - 1 : safe;
  }

  /** Returns the offset to begin reading at, so that the text has the same meaning as in the whole. */
  private beginOf({ from, isMarkup }: Candidate): number {
    if (!this.onlyKeys || isMarkup) return this.boundaryBefore(from);
    return Math.max(this.base, from + this.reach.before - this.reach.beforeOddWord);
  }

  private boundaryBefore(from: number): number {
    return this.boundaries.findLast((boundary) => boundary <= from - CONTEXT) ?? this.boundaries[0]!;
  }

  /** Stops the release for good. */
  private close(): void {
    this.isClosed = true;
    this.tail = '';
    this.unread = '';
    this.unsearched = '';
  }

  /** Drops the text that no candidate can need. */
  private trim(): void {
    if (this.isClosed || this.tail.length < MAX_WINDOW) return;
    const boundary = this.boundaryBefore(this.released - this.reach.before);
    // Further back nothing is read: the gate closes instead.
    const far = Math.min(this.released, this.wordStart - 2 * MAX_WINDOW);
    const base = Math.max(boundary, far);
    if (base === boundary ? base === this.base : base - this.base < MAX_WINDOW) return;
    const boundaries = this.boundaries.filter((one) => one >= base);
    this.boundaries = boundaries[0] === base ? boundaries : [base, ...boundaries];
    this.tail = this.tail.slice(base - this.base);
    this.base = base;
  }
}

function isSentenceEnd(word: string): boolean {
  if (word === '') return true;
  const last = SENTENCE_END.exec(word)?.[1];
  if (last === undefined || !cannotBeKey(word)) return false;
  const lower = last.toLowerCase();
  return !KEY_HEADS.some((head) => head.startsWith(lower));
}

/** True for characters that are read as others, and for letters of two scripts. */
function mayBeFolded(word: string): boolean {
  let isLatin = false;
  let isForeign = false;
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at);
    if (CARE[code] !== PLAIN) return true;
    if (code >= LATIN_END) isForeign = true;
    else if ((code | 32) >= 97 && (code | 32) <= 122) isLatin = true;
    else isLatin ||= code >= 0xc0;
  }
  return isLatin && isForeign;
}

const LATIN_END = 0x250;

function indexOfSpace(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 32 || (code >= 9 && code <= 13)) return at;
  }
  return -1;
}
