import { VALUE } from '../operating-points/values.ts';
import type { PiiSpan } from '../pii/spans.ts';
import { matchAt } from '../read/match-at.ts';
import { entropyOf, PLACEHOLDER } from './assigned-secret.ts';
import { longestOf, sourceOf } from './form.ts';
import { IDENTIFIER_WORDS, PAIRS_OF_KINDS, PAIRS_OF_LITERALS, POSITIONAL } from './pairs.ts';
import type { SecretRecognizer } from './secret-recognizer.ts';
import { PAIRED, PASSWORD, secretSpan } from './secret-span.ts';
import { isSpelledName, isSpelledPath } from './spelled-name.ts';
import { CAPITALS } from './token-secret.ts';
import { PASSWORD_TEMPLATE } from './url-password.ts';

/** The distance between an identifier and its secret. UTF-16 units. */
const BESIDE = 200;
const ALL_SECRETS = [...PAIRS_OF_KINDS.values(), ...PAIRS_OF_LITERALS.map(({ secret }) => secret)].flat();
const MAX_IDENTIFIER = 128;
/** How far from an identifier its secret may begin or end. */
const PAIR_REACH = BESIDE + Math.max(...ALL_SECRETS.map(longestOf));

/** Compiled once for each form. */
const PATTERNS: ReadonlyMap<string, RegExp> = new Map(
  [...ALL_SECRETS, '{Y40}'].map((form) => [form, new RegExp(bounded(sourceOf(form)), 'g')]),
);

/** A secret between characters that are not of it; behind the letter of an escaped line end it may begin, too. */
function bounded(source: string): string {
  return `(?:(?<![A-Za-z0-9+/_-])|(?<=\\\\[nrt]))${source}(?![A-Za-z0-9+/_=-])`;
}

/** What `findSecrets` searches in addition, in lower case. */
export const PAIR_LITERALS: readonly string[] = [
  ...PAIRS_OF_LITERALS.map(({ id }) => id),
  ...IDENTIFIER_WORDS,
  ...POSITIONAL.map(({ literal }) => literal),
];
const MAX_LITERAL = Math.max(...PAIR_LITERALS.map(({ length }) => length));
/** Most literals at which a text is read are others. */
const HEADS: ReadonlySet<string> = new Set(PAIR_LITERALS.map((literal) => literal.slice(0, 3)));

/** The longest call with a user's name and a password. */
const MAX_CALL = 640;
/** What shows an identifier, or a word for its secret, within one word. */
const SIGN = [
  '(?:a[ks]ia|abia|acca|goog|do00|do801|ltai|akid|scw|ac|sk|rzp_(?:live|test)_)[a-z0-9]{8}',
  '[A-Z0-9]{20}',
  ...PAIRS_OF_LITERALS.map(({ id }) => id.replaceAll('.', '\\.')),
  ...['secret', 'geheim', 'segreto', 'secreto', '秘密', '密钥', 'auth', 'private'],
  ...['jdbc:', 'mysql', 'pgsql:', 'sqlsrv:', 'alias', 'sqlplus', 'sshpass'],
].join('|');

/** For live streams: a secret beside its identifier, and one that its identifier may still follow. */
export const SECRET_BESIDE: SecretRecognizer = {
  reach: { sign: new RegExp(SIGN), before: PAIR_REACH + BESIDE, after: MAX_CALL, ends: 'at a distance' },
};
export const SECRET_BEFORE: SecretRecognizer = {
  reach: {
    sign: /(?=[\w+/-]*\d)[\w+/-]{24}/,
    before: PAIR_REACH,
    after: PAIR_REACH + MAX_IDENTIFIER,
    ends: 'at a distance',
  },
};

/** Returns the secrets beside an identifier, which is a key of a known form itself. */
export function secretsBesideKey(text: string, { start, end, rule }: PiiSpan): PiiSpan[] {
  const forms = PAIRS_OF_KINDS.get(rule.slice('secret.'.length));
  return forms === undefined ? [] : beside(text, start, end, forms);
}

/** Returns the secrets beside the 20 capitals and digits that every S3-alike makes an identifier of. */
export function secretsBesideCapitals(text: string, start: number): PiiSpan[] {
  return beside(text, start, start + CAPITALS, ['{Y40}']);
}

/** Returns the secrets that a literal of `PAIR_LITERALS` at `at` shows. */
export function secretsBesideLiteral(text: string, at: number): PiiSpan[] {
  if (!HEADS.has(text.slice(at, at + 3).toLowerCase())) return [];
  const here = text.slice(at, at + MAX_LITERAL).toLowerCase();
  const pair = PAIRS_OF_LITERALS.find(({ id }) => here.startsWith(id));
  if (pair !== undefined) return besideWord(text, at, at + pair.id.length, pair.secret);
  const row = POSITIONAL.find(({ literal }) => here.startsWith(literal));
  if (row !== undefined) return positional(text, at, row.pattern);
  const word = IDENTIFIER_WORDS.find((name) => here.startsWith(name));
  return word === undefined ? [] : named(text, at, at + word.length);
}

const IN_IDENTIFIER = /[A-Za-z0-9_.-]/;

/** The same for the whole word of which `text[from, to)` is a part. */
function besideWord(text: string, from: number, to: number, forms: readonly string[]): PiiSpan[] {
  let [start, end] = [from, to];
  while (start > from - MAX_IDENTIFIER && IN_IDENTIFIER.test(text[start - 1] ?? '')) start--;
  while (end < to + MAX_IDENTIFIER && IN_IDENTIFIER.test(text[end] ?? '')) end++;
  return beside(text, start, end, forms);
}

/** Finds values of the forms in the text before and behind `text[start, end)`. */
function beside(text: string, start: number, end: number, forms: readonly string[]): PiiSpan[] {
  const from = Math.max(0, start - PAIR_REACH);
  // A sign between identifier and secret may be one that secrets contain.
  const places = [
    [from, text.slice(from, start)],
    [from, text.slice(from, start).replace(/[/+=_-]$/, ' ')],
    [end, text.slice(end, end + PAIR_REACH)],
    [end, text.slice(end, end + PAIR_REACH).replace(/^[/+=_-]/, ' ')],
  ] as const;
  const spans: PiiSpan[] = [];
  for (const form of forms)
    for (const [offset, part] of places)
      for (const match of part.matchAll(PATTERNS.get(form)!)) {
        const first = offset + match.index;
        const last = first + match[0].length;
        const distance = last <= start ? start - last : first - end;
        if (distance <= BESIDE && isRandom(text, first, last, HEX_FORM.test(form)))
          spans.push(secretSpan(first, last, PAIRED, VALUE.secretPaired));
      }
  return spans;
}

const SECRET_WORD = /secret|geheim|segreto|secreto|秘密|密钥|auth[ _-]?token|private[ _-]?key/gi;
const VALUE_HERE =
  /(?:(?<![A-Za-z0-9+/_~.-])|(?<=\\[nrt]))[A-Za-z0-9+/_~.-]{20,88}={0,2}(?![A-Za-z0-9+/_~-])/g;
/** Ids of records, files and commits stand beside identifiers more often than secrets do. */
const USUAL_ID = /^(?:[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|[\da-f]{40}|\d[\d.-]*)$/i;

/** Finds random values behind a word for a secret that stands beside a word for an identifier: heads of tables. */
function named(text: string, start: number, end: number): PiiSpan[] {
  const from = Math.max(0, start - BESIDE);
  const around = text.slice(from, end + BESIDE);
  const spans: PiiSpan[] = [];
  for (const word of around.matchAll(SECRET_WORD)) {
    const behind = from + word.index + word[0].length;
    for (const match of text.slice(behind, behind + BESIDE).matchAll(VALUE_HERE)) {
      const [first, last] = [behind + match.index, behind + match.index + match[0].length];
      if (!USUAL_ID.test(match[0]) && !PLACEHOLDER.test(match[0]) && isRandom(text, first, last, true))
        spans.push(secretSpan(first, last, PAIRED, VALUE.secretPaired));
    }
  }
  return spans;
}

function positional(text: string, at: number, pattern: RegExp): PiiSpan[] {
  const match = matchAt(pattern, text, at);
  const value = match?.[1];
  if (match === null || value === undefined) return [];
  if (PLACEHOLDER.test(value) || PASSWORD_TEMPLATE.test(value) || /^[${(%[*<]/.test(value)) return [];
  const end = match.index + match[0].length;
  return [secretSpan(end - value.length, end, PASSWORD, VALUE.urlPassword)];
}

const HEX = /^[\da-f-]+$/i;
const HEX_FORM = /^\{[HX]/;
/** Words have their capitals in the beginning. */
const MIXED_CASES = /[a-z][A-Z].*[a-z][A-Z].*[a-z][A-Z]/;

/** True for what a generator made: no number, name, path or repetition; of hex only where that is due. */
function isRandom(text: string, start: number, end: number, mayBeHex: boolean): boolean {
  const value = text.slice(start, end);
  const entropy = entropyOf(text, start, end);
  if (HEX.test(value)) return mayBeHex && /[a-f]/i.test(value) && entropy >= VALUE.hexEntropy;
  if (entropy < VALUE.randomEntropy || !/[a-z]/.test(value) || !/[A-Z]/.test(value)) return false;
  return (/[\d+]/.test(value) || MIXED_CASES.test(value)) && !isSpelledName(value) && !isSpelledPath(value);
}
