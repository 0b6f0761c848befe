import { CHAR_CLASS, DIGIT, LETTER, TOKEN_EXTRA } from '../pii/char-class.ts';

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
