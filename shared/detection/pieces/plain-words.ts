import { CARE, PLAIN } from '../normalize/tables.ts';

/** Nothing of a word that is plain can be part of a value, whatever follows it, but for its place in a spelled-out address. */
const WORD =
  /^["'“”‘’(*]{0,3}((?:[A-Za-zÀ-ÖØ-öø-ÿ]+(?:['’][A-Za-zÀ-ÖØ-öø-ÿ]+)?)|[\u0400-\u04ff]+|[\u0590-\u0dff]+|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]+)["'”’)*.,;:!?…。]{0,3}$/;
const NUMBER = /^["(]?(\d{1,4})[.,;:!?)"]{0,2}$/;
const DASH = /^[-*–—•]$/;
const BOTH_CASES = /[a-z].*[A-Z]|[A-Z].*[a-z]/;
/** Shorter than every key of letters alone. */
const MAX_LETTERS = 18;
/** Shorter than what base64 is looked for in. */
const MAX_BOTH_CASES = 14;
/** What separates the parts of an address that is spelled out, read from either end; some only in brackets. */
const MARKS = new Set(
  ['dot', 'punkt', 'punto', 'ponto', 'point', 'точка', 'arroba', 'arobase', 'chiocciola', 'собака'].flatMap(
    bothWays,
  ),
);
const BRACKETED_MARKS = new Set(['at', 'ät'].flatMap(bothWays));
/** The rules for responses take any number of these in a row. */
const QUALIFIERS = new Set('full entire complete exact original initial hidden secret internal'.split(' '));
const MAX_QUALIFIERS = 3;
/** Numbers with more digits together may be a value. */
const MAX_DIGITS = 6;
/** Words of one character: more of them may be a word whose letters stand apart. */
const MAX_SINGLE = 2;

function bothWays(word: string): string[] {
  return [word, [...word].reverse().join('')];
}

/** Reads a text word by word and says of each whether it is plain. */
export class PlainWords {
  private digits = 0;
  private single = 0;
  private qualifiers = 0;
  /** The last word was one of letters. */
  isLetters = false;

  isPlain(word: string): boolean {
    this.single = word.length === 1 ? this.single + 1 : 0;
    const number = NUMBER.exec(word);
    if (number !== null) {
      this.isLetters = false;
      this.digits += number[1]!.length;
      return this.digits <= MAX_DIGITS && this.single <= MAX_SINGLE;
    }
    if (DASH.test(word)) {
      this.isLetters = false;
      return this.single <= MAX_SINGLE;
    }
    this.digits = 0;
    const core = WORD.exec(word)?.[1];
    this.isLetters = core !== undefined && core.length > 2;
    if (core === undefined || this.single > MAX_SINGLE) return false;
    return this.isPlainCore(core, word);
  }

  private isPlainCore(core: string, word: string): boolean {
    const lower = core.toLowerCase();
    this.qualifiers = QUALIFIERS.has(lower) ? this.qualifiers + 1 : 0;
    if (this.qualifiers > MAX_QUALIFIERS) return false;
    if (MARKS.has(lower)) return false;
    if (word.includes('(') && BRACKETED_MARKS.has(lower)) return false;
    if (core.charCodeAt(0) < 0x400) {
      if (core.length > MAX_LETTERS) return false;
      if (core.length > MAX_BOTH_CASES && BOTH_CASES.test(core)) return false;
    }
    for (let i = 0; i < word.length; i++) {
      const code = word.charCodeAt(i);
      if (code > 127 && CARE[code] !== PLAIN && !QUOTES.includes(word[i]!)) return false;
    }
    return true;
  }

  /** Any number of words belongs to what a rule may match. */
  get isEndless(): boolean {
    return this.qualifiers > MAX_QUALIFIERS;
  }
}

/** Folded to their ASCII spelling one by one: of no consequence to what is around them. */
const QUOTES = '“”‘’…';
