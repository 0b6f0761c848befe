import {
  CARE,
  CHAR_CLASS,
  CODE_WORDS,
  COMMON_AT_WORDS,
  DIGIT,
  DISCLOSURE,
  DOT_WORDS,
  LETTER,
  PLAIN,
  RARE_AT_WORDS,
  TOKEN_EXTRA,
} from '../detection/index.ts';

/** No part of a plain word can be part of a value, whatever follows it, except as part of a spelled-out address. */
const WORD =
  /^["'“”‘’(*`]{0,3}((?:[A-Za-zÀ-ÖØ-öø-ÿ]+(?:['’-][A-Za-zÀ-ÖØ-öø-ÿ]+)*)|[\u0400-\u04ff]+|[\u0590-\u0dff]+|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]+)["'”’)*`.,;:!?…。]{0,3}$/;
const NUMBER =
  /^["($€£]{0,2}(\d{1,4}|\d{1,3}[.,]\d{1,3}|\d{1,4}-\d{1,4})(?:%|st|nd|rd|th|s)?[.,;:!?)"]{0,2}$/;
/** Signs that stand alone in Markdown, formulas and code; a number may continue after one. */
const SIGN = /^(?:[-*–—•|}\]+=&/]|\*\*|#{1,6}|`{3}[a-z]*|>{1,3}|[=-]>|&&|\|\||\/\/|\(\)|\}?\);?|[\]}][;,])$/;
/** Joined names and words: `task_id`, `index.ts`, `terms/patterns`, `done.**Next`. */
const COMPOUND =
  /^["'(*`]{0,3}([A-Za-z]{2,14}(?:(?:[_./-]|[.:]?\*{2,4})[A-Za-z]{2,14}){1,4})["'”’)*`.,;:!?…]{0,3}$/;
const INITIALS = /^\(?[A-Za-z]\.[A-Za-z]\.?[,;:)]{0,2}$/;
/** Normal spelling, possibly joined: at most the first letter is a capital. */
const LOWER_CASE = /^[A-Za-z][^A-Z]*$/;
/** Shorter than every key of lowercase letters alone. */
const MAX_LETTERS = 18;
/** Shorter than every key of letters alone, and than the shortest base64 that is decoded. */
const MAX_CAPITALS = 14;
/** Words that separate the parts of a spelled-out address, read forwards or backwards; some only in brackets. */
const MARKS = new Set([...DOT_WORDS, ...RARE_AT_WORDS].flatMap(bothWays));
/** As in `name-at-host-dot-com`. */
const HYPHENATED_MARK = /-(?:at|dot|ta|tod)-/;
const AT_WORDS = new Set(COMMON_AT_WORDS.flatMap(bothWays));
const CODE = new Set(CODE_WORDS);
/** The rules for responses allow any number of these in a row. */
const QUALIFIERS = new Set<string>(DISCLOSURE.qualifiers);
/** Words whose meaning depends on the words around them. */
const SPECIAL = new Set([...MARKS, ...CODE, ...QUALIFIERS]);
const MAX_QUALIFIERS = 3;
/** Numbers with more digits together may be a value. */
const MAX_DIGITS = 6;
/** Words of one character: more of them may be a word whose letters are separated. */
const MAX_SINGLE = 2;
/** This many of them in a row spell a key, whatever its length. */
const SPELLED = 11;

function bothWays(word: string): string[] {
  return [word, [...word].reverse().join('')];
}

/** Reads a text word by word and determines whether each is plain. */
export class PlainWords {
  private digits = 0;
  private single = 0;
  private qualifiers = 0;
  /** True if the last word consisted of letters. */
  isLetters = false;
  /**
   * True if the last word can neither be part of a value nor join two parts of one. No finding except a sentence spans
   * two such words, and it can begin only with the second one: `anna` of `anna at example dot com`.
   */
  isQuiet = false;

  /** Reads an ordinary word. False: the word may be special, and was not read. */
  passOrdinary(word: string): boolean {
    if (!isLowerCaseWord(word) || SPECIAL.has(word.toLowerCase())) return false;
    this.single = 0;
    this.digits = 0;
    this.qualifiers = 0;
    this.isLetters = true;
    this.isQuiet = true;
    return true;
  }

  isPlain(word: string): boolean {
    if (isLowerCaseWord(word)) {
      this.single = 0;
      this.digits = 0;
      this.isLetters = true;
      this.isQuiet = this.isPlainName(word.toLowerCase());
      return this.isQuiet;
    }
    this.isQuiet = false;
    const isPlain = this.isPlainOther(word);
    this.isQuiet = isPlain && QUIET.test(word) && !AT_WORDS.has(word.toLowerCase());
    return isPlain;
  }

  private isPlainOther(word: string): boolean {
    this.single = word.length === 1 ? this.single + 1 : 0;
    const number = NUMBER.exec(word);
    if (number !== null) {
      this.isLetters = false;
      this.digits += number[1]!.replace(/\D/, '').length;
      return this.digits <= MAX_DIGITS && this.single <= MAX_SINGLE;
    }
    if (SIGN.test(word)) {
      this.isLetters = false;
      return this.single <= MAX_SINGLE;
    }
    this.digits = 0;
    const core = WORD.exec(word)?.[1];
    this.isLetters = core !== undefined && core.length > 2;
    if (this.single > MAX_SINGLE) return false;
    if (core === undefined) return INITIALS.test(word) || this.isPlainCompound(word);
    return this.isPlainCore(core, word);
  }

  private isPlainCore(core: string, word: string): boolean {
    const lower = core.toLowerCase();
    if (!this.isPlainName(lower) || HYPHENATED_MARK.test(lower)) return false;
    if (word.includes('(') && AT_WORDS.has(lower)) return false;
    if (core.charCodeAt(0) < 0x400) {
      if (!isShort(core)) return false;
    }
    for (let i = 0; i < word.length; i++) {
      const code = word.charCodeAt(i);
      if (code > 127 && CARE[code] !== PLAIN && !QUOTES.includes(word[i]!)) return false;
    }
    return true;
  }

  private isPlainCompound(word: string): boolean {
    const core = COMPOUND.exec(word)?.[1];
    if (core === undefined) return false;
    this.qualifiers = 0;
    if (!core.split('*').every(isShort)) return false;
    const parts = core.toLowerCase().split(/[^a-z]+/);
    return !parts.some((part) => MARKS.has(part) || AT_WORDS.has(part) || CODE.has(part));
  }

  private isPlainName(lower: string): boolean {
    this.qualifiers = QUALIFIERS.has(lower) ? this.qualifiers + 1 : 0;
    return this.qualifiers <= MAX_QUALIFIERS && !MARKS.has(lower) && !CODE.has(lower);
  }

  /** True if the last words may belong together: single characters, or words that a rule allows any number of. */
  get isOpen(): boolean {
    return this.single > MAX_SINGLE || this.isEndless;
  }

  /** True if any number of further words may belong to the match of a rule or to a spelled key. */
  get isEndless(): boolean {
    return this.qualifiers > MAX_QUALIFIERS || this.single >= SPELLED;
  }
}

const isShort = (run: string): boolean => run.length <= (LOWER_CASE.test(run) ? MAX_LETTERS : MAX_CAPITALS);

const QUIET = /^[A-Za-zÀ-ÖØ-öø-ÿ][a-zß-öø-ÿ]{1,13}(?:['’][a-z]{1,2})?[.,;:!?]{0,2}$/;

/** Each is folded to its ASCII spelling, without any effect on the text around it. */
const QUOTES = '“”‘’…';

/** True for most words: ASCII letters, of which at most the first is a capital. */
function isLowerCaseWord(word: string): boolean {
  const { length } = word;
  if (length < 3 || length > MAX_CAPITALS) return false;
  const first = word.charCodeAt(0) | 32;
  if (first < 97 || first > 122) return false;
  for (let i = 1; i < length; i++) {
    const code = word.charCodeAt(i);
    if (code < 97 || code > 122) return false;
  }
  return true;
}

/** Shorter than every key that is recognized by its form, and than every token that is decoded. */
const MIN_KEY = 11;
/** Characters separated by the same sign, which detectors remove. */
const APART = /(.).\1.\1/;
/** The beginning of an address, an image, a tag or a script. */
const BEGINS = /:\/\/|\/\/:|@|!\[|\]\(|<[a-z!/?]|url\(|eval$|javascript$|document\.|fromcharcode/i;
/** Longer words are rare. */
const MAX_LENGTH = 64;
const TOKEN = DIGIT | LETTER | TOKEN_EXTRA;

/**
 * True if no part of a word can belong to a key, to an address that carries data, to a tag or to a script, whatever
 * follows it. ASCII only, because other characters may be folded or dropped.
 */
export function cannotBeKey(word: string): boolean {
  const { length } = word;
  if (length < 2 || length > MAX_LENGTH) return false;
  let run = 0;
  for (let at = 0; at < length; at++) {
    const code = word.charCodeAt(at);
    if (code > 126) return false;
    run = (CHAR_CLASS[code]! & TOKEN) === 0 ? 0 : run + 1;
    if (run >= MIN_KEY) return false;
  }
  return !BEGINS.test(word) && (length < 5 || !APART.test(word));
}

const MIXED = /[^\s"'`“”„«»<>()[\]{},;|\\=/]{8,}/g;
const LONG = 16;

/** True for a word that may be a password or an assigned key: letters and digits with a sign, in both cases, or many. */
export function isMixedWord(word: string): boolean {
  if (word.length < 8 || !/\d/.test(word)) return false;
  return (word.match(MIXED) ?? []).some(
    (run) =>
      /\d/.test(run) &&
      /[a-z]/i.test(run) &&
      (run.length >= LONG || /[!@#%^&*?+~]/.test(run) || (/[a-z]/.test(run) && /[A-Z]/.test(run))),
  );
}

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
