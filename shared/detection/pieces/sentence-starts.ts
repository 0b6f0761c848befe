/** What the word after the first of a disclosure begins with; after any other word it is none. */
const FOLLOW: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    here: 'is are s',
    this: 'is',
    these: 'are',
    of: 'course',
    i: 'was am have',
    my: 'full entire complete exact original initial hidden secret internal system developer',
  }).map(([word, following]) => [word, following.split(' ')]),
);
const ALONE = /^(?:here.?s|sure|certainly)/;
const PART = /[A-Za-z]+(?:['’][A-Za-z]+)*/g;
const ENDS = /[.:]$/;
/** Letters of other scripts may be read as those that they look like; accented ones and quotation marks are not. */
const MAY_BE_FOLDED = /[^\x20-\x7eÀ-ÖØ-öø-ÿ“”‘’…]/;
/** More than may stand between the beginning of a disclosure and what it discloses. */
const BEFORE_MY = 48;
/** More than what is disclosed takes, and than the text that is not yet searched for keywords. */
const AFTER_MY = 160;

/**
 * Where a sentence may begin that discloses instructions (`RULE_SETS.answers`): "here is my …", "my system prompt is",
 * "I was told". Such a sentence is found by its keyword, which comes later; until then its beginning is held.
 */
export class SentenceStarts {
  private start: number | null = null;
  /** Characters after which the sentence that began is none. */
  private left = 0;
  private first: { readonly word: string; readonly start: number } | null = null;

  /** Every word, in order. */
  read(word: string, start: number): void {
    if (this.start === null && this.first === null && isOrdinary(word)) return;
    if (MAY_BE_FOLDED.test(word)) this.begin(start, BEFORE_MY);
    for (const { 0: part, index } of word.matchAll(PART)) this.readPart(part.toLowerCase(), start + index);
    // "Of course: …" goes on.
    if (ENDS.test(word) && this.first === null && this.left < BEFORE_MY) this.start = null;
  }

  private readPart(part: string, start: number): void {
    const { first } = this;
    this.first = null;
    this.pass(part.length + 1);
    if (first !== null && FOLLOW.get(first.word)!.some((head) => part.startsWith(head))) {
      const isNear = first.word === 'my' || first.word === 'i';
      this.begin(first.start, isNear ? AFTER_MY : BEFORE_MY);
    }
    if (ALONE.test(part)) this.begin(start, BEFORE_MY);
    else if (FOLLOW.has(part)) this.first = { word: part, start };
    if (part === 'my' && this.start !== null) this.left = Math.max(this.left, AFTER_MY);
  }

  /** Nothing from here on can be released; null: no sentence has begun. */
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

/** Most words: ASCII letters, none of which begins a disclosure. */
function isOrdinary(word: string): boolean {
  if (BEGINNINGS.includes(word.charCodeAt(0) | 32)) return false;
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at) | 32;
    if (code < 97 || code > 122) return false;
  }
  return true;
}

const BEGINNINGS = [...'chimost'].map((letter) => letter.charCodeAt(0));
