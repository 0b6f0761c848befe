import { VALUE } from '../operating-points/values.ts';
import { CHAR_CLASS, DIGIT, LETTER } from '../pii/char-class.ts';
import type { PiiSpan } from '../pii/spans.ts';
import { matchAt } from '../read/match-at.ts';
import { OPEN_KINDS } from './known-kinds.ts';
import { ASSIGNED, secretSpan } from './secret-span.ts';
import { isSpelledName, isSpelledPath } from './spelled-name.ts';

/** The shortest value of interest. */
export const MIN_ASSIGNED = 16;
/** How far before a value its name is read. */
export const MAX_LEAD = 40;
const MAX_TOKEN = 512;

const KEYWORD =
  /(?:secret[_ -]?(?:key|token)?|token|api[_ -]?key|apikey|access[_ -]?key|private[_ -]?key|auth(?:orization)?|bearer|credential|passw(?:or)?d|pwd|client[_ -]?secret|encryption[_ -]?key|signing[_ -]?key|account[_ -]?key|session[_ -]?key|[_-]key|\bkey)["'`\]]?\s{0,3}(?:[:=]>?|:=|is|\bto\b|\|\|?|\?\?|[>\u2013\u2014])?\s{0,3}(?:basic |bearer |token )?["'`]?$/i;
/** A word for a key of any kind, with what stands between it and its value. */
const BARE_KEY = /^[_-]?key\b/i;
/** Names of keys that only tell things apart: headers, rows, objects, sites. */
const PUBLIC_KEY =
  /(?:idempotency|websocket|surrogate|site|row|record|object|item|entity|translation|dedup\w{0,11}|lookup)[ _-]?key$/i;
/** The beginning of a tag up to the value of an attribute; `MAX_TAG` limits how far before the value it is searched. */
const IN_TAG = /^<[A-Za-z][\w.:-]*\s[^<]*$/;
const MAX_TAG = 400;
export const PLACEHOLDER =
  /example|sample|dummy|your|placeholder|changeme|change_me|redacted|xxxx|\*\*\*|test_?test|foobar|1234567890abcdef|abcdefghij|insert|replace|undefined|process\.env|\$\{|<[a-z]|todo|fake|mock|lorem|null|none|true|false|this_is|thisis|dont|secret_?key|my_?secret/i;

/**
 * Returns a long mixed token that a word such as `secret=` introduces, or that matches a form without a literal prefix.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: runs for every token of a text, with early exits
export function assignedAt(text: string, tokenStart: number, tokenEnd: number): PiiSpan | undefined {
  let start = tokenStart;
  let end = tokenEnd;
  if (end - start > MAX_TOKEN) return undefined;
  // `name=value` is one token here: the value follows the first `=` that is not padding. Searched only within the
  // token, because a search to the end of the text would run for every token.
  const equals = start + text.slice(start, end).indexOf('=');
  if (equals > start && equals < end - MIN_ASSIGNED) start = equals + 1;
  while (end > start && (text.charCodeAt(end - 1) === 46 || text.charCodeAt(end - 1) === 45)) end--;
  if (end - start < MIN_ASSIGNED) return undefined;
  let digits = 0;
  let letters = 0;
  let separators = 0;
  for (let i = start; i < end; i++) {
    const bits = CHAR_CLASS[text.charCodeAt(i)]!;
    if ((bits & DIGIT) !== 0) digits++;
    else if ((bits & LETTER) !== 0) letters++;
    else separators++;
  }
  if (digits < 1 || letters < 2 || separators > (end - start) / 5) return undefined;
  for (const kind of OPEN_KINDS) {
    if (end - start < kind.least) continue;
    const match = matchAt(kind.pattern, text, start);
    if (match !== null && match.index + match[0].length === end)
      return secretSpan(start, end, kind.id, VALUE.secretOpenKind);
  }
  const lead = text.slice(Math.max(0, start - MAX_LEAD), start);
  const keyword = KEYWORD.exec(lead)?.[0];
  if (
    keyword === undefined ||
    (BARE_KEY.test(keyword) && namesNoSecret(text, start)) ||
    /(?:public|primary|foreign|cache|sort|partition|hash|checksum|sha\d*|md5|digest|integrity|etag|fingerprint|next|page|csrf|commit|trial)[\w" '-]{0,12}$/i.test(
      lead.replace(/["'`:=\s]+$/, ''),
    )
  ) {
    return undefined;
  }
  const value = text.slice(start, end);
  if (
    PLACEHOLDER.test(value) ||
    /^[a-z]+(?:[-_.][a-z0-9]+)+$/.test(value) ||
    /^[\w.]+\.[a-zA-Z]{2,}$/.test(value) ||
    /^[A-Z][A-Z0-9_]*=/.test(value) ||
    isPath(value) ||
    isSpelledPath(value) ||
    // People choose words as passwords; keys and tokens are random.
    (!/^(?:passw|pwd)/i.test(keyword) && isSpelledName(value)) ||
    isCalled(text, end)
  )
    return undefined;
  if (entropyOf(text, start, end) < VALUE.randomEntropy) return undefined;
  return secretSpan(start, end, ASSIGNED, VALUE.secretAssigned);
}

/** True for a mere `key` that is an attribute of markup, which every reader of a page sees, or known to be no secret. */
function namesNoSecret(text: string, start: number): boolean {
  const lead = text.slice(Math.max(0, start - MAX_TAG), start);
  if (PUBLIC_KEY.test(lead.replace(/["'`:=\s]+$/, ''))) return true;
  return /=\s?["'{`]{0,2}$/.test(lead) && IN_TAG.test(lead.slice(Math.max(0, lead.lastIndexOf('<'))));
}

/** True for a file path such as `models/exp-42.pkl`. */
function isPath(value: string): boolean {
  return /^[\w.-]+(?:\/[\w.-]+)+\.[a-z][a-z0-9]{1,5}$/i.test(value);
}

/** True for a function that is called, as in `base64.b64encode(…)`: the secret would be the result of the call. */
function isCalled(text: string, end: number): boolean {
  return text.charCodeAt(end) === OPEN && /[a-z]/i.test(text[end - 1]!);
}

const OPEN = 40;

/** Returns the Shannon entropy of an ASCII slice in bits per character; other characters count as one more symbol. */
export function entropyOf(text: string, start: number, end: number): number {
  const counts = new Uint16Array(128);
  let other = 0;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code < 128) counts[code]!++;
    else other++;
  }
  const total = end - start;
  let bits = 0;
  for (let code = 0; code < 128; code++) {
    const count = counts[code]!;
    if (count > 0) bits -= (count / total) * Math.log2(count / total);
  }
  if (other > 0) bits -= (other / total) * Math.log2(other / total);
  return bits;
}
