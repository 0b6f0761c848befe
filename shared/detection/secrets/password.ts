import { VALUE } from '../operating-points/values.ts';
import type { PiiSpan } from '../pii/spans.ts';
import { matchAt } from '../read/match-at.ts';
import { PLACEHOLDER } from './assigned-secret.ts';
import { PASSWORD, secretSpan } from './secret-span.ts';
import { isSpelledName } from './spelled-name.ts';

/** Words for a password in prose, settings and markup: the beginning of the word, in lower case, and its rest. */
const WORDS: readonly (readonly [beginning: string, rest?: string])[] = [
  ['passw', '(?:or[dt]|d)'],
  ['passphrase'],
  ['passcode'],
  ['pwd'],
  ['kennwort'],
  ['contrase', '[ñn]a'],
  ['mot de passe'],
  ['senha'],
  ['wachtwoord'],
  ['hasło'],
  ['haslo'],
  ['şifre'],
  ['lösenord'],
  ['парол', '[ьяюе]'],
  ['密', '[码碼]'],
  ['パスワード'],
  ['비밀번호'],
];
export const PASSWORD_WORD = new RegExp(
  WORDS.map(([beginning, rest = '']) => beginning + rest).join('|'),
  'i',
);
const beginnings = WORDS.map(([beginning]) => beginning);
export const PASSWORD_BEGINNINGS = beginnings.filter(({ length }) => length > 1);
/** Too short for the combined search. */
export const SHORT_PASSWORD_BEGINNINGS = beginnings.filter(({ length }) => length === 1);
const WORD_HERE = new RegExp(PASSWORD_WORD.source, 'iy');

/** The text between the word and the value: the owner, a mark or a verb, and quotes. */
const CONNECTION =
  /s?(?:\s(?:for|of|from|para|für|de|pour)\s[\w@.'-]{1,40}(?:\s[\w@.'-]{1,24}){0,2})?\\{0,3}["'`\])*]{0,3}\s{0,3}(?::=|=>|->|[:=>：—–|]|(?:is now|is|was|to|est|ist|lautet|es|[èé]):?\s|は|是|,?\s?value=)\*{0,2}\s{0,3}\*{0,2}\\{0,3}["'`“„«]?/iy;
/** Word and value are joined by a verb, as in prose. */
const IS_SAID = /(?:\w|[èé]):?\s+\*{0,2}["'`“„«]?$/;
/** An identifier in code; unquoted it may end with an assertion mark. */
const IDENTIFIER = /^[\w.-]+[!?]?$/;
const QUOTED_IDENTIFIER = /^[\w.-]+$/;
/** Brackets, commas and equals signs end a value, because they are common in code. */
const VALUE_FORM = /[^\s"'`“”„«»<>()[\]{},;|\\=]{8,64}/y;
const IS_CODE_BEHIND = /[([{=]/;
const NEXT_PARAMETER = /&\w{1,40}$/;
const TRAILING = /[.:*…。、，]+$/;

/** Methods, settings, dates, addresses, paths, variables and members. */
const NO_PASSWORD =
  /\b(?:sha-?\d|md5|argon|bcrypt|scrypt|pbkdf|hmac|rfc\d|utf-?\d|base\d|oauth)|http|passw|pwd|^\d{4}-\d\d|^[@%#&*+]|^--|\$|@[\w-]+\.\w|^\w+(?:[?!]?\.\w+)+$|\/|%\w+%|&[a-z]{2,6}$/i;
/** `Sunny-Lake-4921`. */
const PASSPHRASE = /^[A-Z][a-z]+(?:[-_.][A-Z]?[a-z]+)+[-_.]?\d{2,6}[!?]?$/;

/** Returns the password that the word at `at` names; undefined: not such a word, or no password. */
export function passwordAt(text: string, at: number): PiiSpan | undefined {
  const word = matchAt(WORD_HERE, text, at)?.[0];
  const connection = word && matchAt(CONNECTION, text, at + word.length)?.[0];
  if (word === undefined || connection === undefined) return undefined;
  const start = at + word.length + connection.length;
  const found = matchAt(VALUE_FORM, text, start)?.[0] ?? '';
  const isParameter = text[start + found.length] === '=';
  const value = found.replace(isParameter ? NEXT_PARAMETER : TRAILING, '').replace(TRAILING, '');
  const end = start + value.length;
  if (IS_CODE_BEHIND.test(text[end] ?? '') || !isPassword(value, connection)) return undefined;
  return secretSpan(start, end, PASSWORD, VALUE.password);
}

/**
 * True for letters and digits with a sign or in both cases, as password rules require, unless it is a name or
 * identifier in code.
 */
function isPassword(value: string, connection: string): boolean {
  if (value.length < 8 || !/\d/.test(value) || !/[a-z]/i.test(value)) return false;
  if (NO_PASSWORD.test(value) || PLACEHOLDER.test(value)) return false;
  if (PASSPHRASE.test(value)) return true;
  const isMixed = /[a-z]/.test(value) && /[A-Z]/.test(value);
  if (!isMixed && !/[!@#%^&*?+~]/.test(value)) return false;
  const identifier = /["'`“„«]$/.test(connection) ? QUOTED_IDENTIFIER : IDENTIFIER;
  return IS_SAID.test(connection) || !identifier.test(value) || !isSpelledName(value);
}
