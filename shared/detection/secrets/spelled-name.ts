import { VALUE } from '../operating-points/values.ts';

/** Parts of a name: words, numbers, and separators. Capitals begin words. */
const PARTS = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^A-Za-z\d]+/g;
/** Random letters have more consonants in a row, or fewer vowels, than words. */
const MANY_CONSONANTS = /[^aeiouy]{5}/i;
const MIN_WORD = 3;
const MAX_WORD = 14;
/** A number ends a word; the next one begins with a capital or after a sign. */
const NUMBER_WITHIN = /\d(?:[a-z]|[A-Z]{2})/;
const MAX_DIGITS = 3;

/**
 * True for names of joined words, such as `defaultToConfig2` and `user_session_table_v2`, which no key generator
 * produces.
 */
export function isSpelledName(value: string): boolean {
  if (NUMBER_WITHIN.test(value)) return false;
  let letters = 0;
  let inWords = 0;
  let digits = 0;
  for (const [part] of value.matchAll(PARTS)) {
    if (/\d/.test(part)) digits += part.length;
    else if (/[A-Za-z]/.test(part)) {
      letters += part.length;
      if (isWord(part)) inWords += part.length;
    }
  }
  return digits <= MAX_DIGITS && letters > 0 && inWords >= letters * VALUE.spelledShare;
}

/** True for paths of such names, such as `/home/anna2/Code/webshop` and `../src/auth/session-store-2`. */
export function isSpelledPath(value: string): boolean {
  const [first = '', ...steps] = value.split('/');
  if (steps.length < 2 || !/^(?:|~|\.{1,2}|[A-Za-z][\w.-]*)$/.test(first)) return false;
  return [first, ...steps].every(
    (step) => /^(?:~|[\w.@-]*)$/.test(step) && (step.length < 4 || isSpelledName(step)),
  );
}

function isWord(part: string): boolean {
  if (part.length < MIN_WORD || part.length > MAX_WORD || MANY_CONSONANTS.test(part)) return false;
  const vowels = part.length - part.replace(/[aeiouy]/gi, '').length;
  return vowels >= part.length / 5 && vowels <= (part.length * 3) / 4;
}
