import { DISCLOSURE } from '../rules/markup.ts';

/** Prefixes of the word after `my` in a disclosure. */
const OF_MINE = [...DISCLOSURE.qualifiers, ...DISCLOSURE.subjects];
/** Words between `I` and the participle. */
const AUXILIARIES: ReadonlySet<string> = new Set(DISCLOSURE.auxiliaries);
const DONE: readonly string[] = DISCLOSURE.participles;
const PART = /[A-Za-z]+(?:['’][A-Za-z]+)*/g;
const ENDS = /[.:]$/;
/**
 * Letters of other scripts may be folded to Latin ones they look like; accented letters and quotation marks are not.
 */
const MAY_BE_FOLDED = /[^\x20-\x7eÀ-ÖØ-öø-ÿ“”‘’…–—•→]/;
/** A word of two scripts, or as short as the first words of a disclosure. */
const MAY_BE_LATIN = /[A-Za-z]|^\W?\S{1,3}$/;
/** Other words neither begin a disclosure nor can be folded to one that does. */
const MAY_BEGIN = new RegExp(`(?<![a-z])(?:my|i)(?![a-z])|${MAY_BE_FOLDED.source}`, 'i');
/** The maximum length of a disclosure in letters that are folded. */
const FOLDED = 48;
/** The maximum length of a disclosure, and of the text that is not yet searched for keywords. */
const AFTER_MY = 160;

/**
 * Tracks the start of a sentence that may disclose instructions (`RULE_SETS.answers`): "my system prompt is", "I was
 * told". Such a sentence is found by a keyword, which comes later; until then its beginning is held.
 */
export class SentenceStarts {
  private start: number | null = null;
  /** The number of characters until the sentence is dismissed. */
  private left = 0;
  private first: { readonly word: string; readonly start: number } | null = null;

  /** True if no sentence has begun; words of three or more letters do not begin one. */
  get isIdle(): boolean {
    return this.start === null && this.first === null;
  }

  /** Reads a word; call it for every word, in order. */
  read(word: string, start: number): void {
    if (this.start === null && this.first === null && !MAY_BEGIN.test(word)) return;
    if (MAY_BE_FOLDED.test(word))
      this.begin(this.first?.start ?? start, MAY_BE_LATIN.test(word) ? AFTER_MY : FOLDED);
    for (const { 0: part, index } of word.matchAll(PART)) this.readPart(part.toLowerCase(), start + index);
    if (ENDS.test(word) && this.first === null && this.left < FOLDED) this.start = null;
  }

  private readPart(part: string, start: number): void {
    const { first } = this;
    this.first = null;
    this.pass(part.length + 1);
    if (first !== null) {
      const goesOn = first.word === 'i' && AUXILIARIES.has(part);
      const heads = first.word === 'my' ? OF_MINE : DONE;
      if (goesOn) this.first = first;
      else if (heads.some((head) => part.startsWith(head))) this.begin(first.start, AFTER_MY);
    }
    if (part === 'my' || part === 'i') this.first = { word: part, start };
  }

  /** The offset from which nothing can be released; null: no sentence has begun. */
  get heldFrom(): number | null {
    return this.start ?? this.first?.start ?? null;
  }

  private begin(start: number, left: number): void {
    this.start ??= start;
    this.left = Math.max(this.left, left);
  }

  private pass(length: number): void {
    this.left -= length;
    if (this.left > 0) return;
    this.left = 0;
    this.start = null;
  }
}
