import { withoutOverlaps } from '../../text/index.ts';
import { CHAR_CLASS, DIGIT, LETTER, TOKEN_EXTRA } from '../pii/char-class.ts';
import { emailAt } from '../pii/email.ts';
import { isLineEscape } from '../pii/glue.ts';
import { beginsNumber } from '../pii/number-forms.ts';
import type { PiiSpan } from '../pii/spans.ts';
import type { Text } from '../read/codes.ts';
import { matchAt, matchesAt } from '../read/match-at.ts';
import { entropyOf } from './entropy.ts';
import { compileForm, literalStart } from './form.ts';
import { SECRET_KINDS } from './kinds.ts';

interface CompiledKind {
  readonly id: string;
  readonly start: string;
  readonly pattern: RegExp;
}

/** Kinds by the first three characters of their form, so that one array look-up a word rules nearly all words out. */
const byLead = new Map<number, CompiledKind[]>();
/** What their forms begin with in rot13, in the same way. */
const turnedByLead = new Map<number, string[]>();
const leadMarks = new Uint8Array(4096);
/** What a lead may be of: a form as it is, or one in rot13. */
const STRAIGHT = 1;
const TURNED = 2;
/** Kinds whose form begins with a hole; tried on long tokens only. */
const openKinds: CompiledKind[] = [];
for (const kind of SECRET_KINDS) {
  const start = literalStart(kind.form);
  const compiled = { id: kind.id, start, pattern: compileForm(kind.form) };
  if (start.length < 2) {
    openKinds.push(compiled);
    continue;
  }
  const turned = rot13(start);
  for (const lead of leadsOf(turned)) {
    leadMarks[lead] = leadMarks[lead]! | TURNED;
    turnedByLead.set(lead, [...(turnedByLead.get(lead) ?? []), turned]);
  }
  for (const lead of leadsOf(start)) {
    leadMarks[lead] = leadMarks[lead]! | STRAIGHT;
    byLead.set(lead, [...(byLead.get(lead) ?? []), compiled]);
  }
}

/** ASCII letters turned by half the alphabet. */
function rot13(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    String.fromCharCode(letter.charCodeAt(0) + (/[a-m]/i.test(letter) ? 13 : -13)),
  );
}

function leadOf(first: number, second: number, third: number): number {
  return ((first * 31 + second) * 31 + third) & 4095;
}

/** A start of two characters stands for every third one. */
function leadsOf(start: string): number[] {
  if (start.length >= 3) return [leadOf(start.charCodeAt(0), start.charCodeAt(1), start.charCodeAt(2))];
  const leads = new Set<number>();
  for (let third = 33; third < 127; third++)
    leads.add(leadOf(start.charCodeAt(0), start.charCodeAt(1), third));
  return [...leads];
}

const TOKEN = DIGIT | LETTER | TOKEN_EXTRA;
const BEGIN = '-----BEGIN ';
const MIN_TOKEN = 16;
/** The least that is looked into. */
const MIN_CODE = 15;
/** Shorter than every known form up to the first character that is no part of a token. */
const MIN_FORM = 11;
const MAX_TOKEN = 512;
const MAX_RUN = 2_048;
const MAX_PRIVATE_KEY = 16_384;

const KEYWORD =
  /(?:secret[_ -]?(?:key|token)?|token|api[_ -]?key|apikey|access[_ -]?key|private[_ -]?key|auth(?:orization)?|bearer|credential|passw(?:or)?d|pwd|client[_ -]?secret|encryption[_ -]?key|signing[_ -]?key|account[_ -]?key|session[_ -]?key|[_-]key|\bkey)["'`\]]?\s{0,3}(?:[:=]>?|:=|is|\bto\b|\|\|?|\?\?|[>\u2013\u2014])?\s{0,3}(?:basic |bearer |token )?["'`]?$/i;
const PLACEHOLDER =
  /example|sample|dummy|your|placeholder|changeme|change_me|redacted|xxxx|\*\*\*|test_?test|foobar|1234567890abcdef|abcdefghij|insert|replace|undefined|process\.env|\$\{|<[a-z]|todo|fake|mock|lorem|null|none|true|false|this_is|thisis|dont|secret_?key|my_?secret/i;
const CREDENTIAL_URL = /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/"'<>]{0,80}:([^\s:@/"'<>$]{3,100})@[a-z0-9[]/iy;

/** What a code is in a token (DIGIT, LETTER, TOKEN_EXTRA); 0 where it ends one. */
const TRAITS = new Uint8Array(65_536);
for (let code = 0; code < 128; code++) TRAITS[code] = CHAR_CLASS[code]! & TOKEN;
/** Text in base64 has letters of both cases, in hex digits. */
const UPPER = 64;
const LOWER = 128;
for (let code = 65; code <= 90; code++) TRAITS[code] = TRAITS[code]! | UPPER;
for (let code = 97; code <= 122; code++) TRAITS[code] = TRAITS[code]! | LOWER;
const isCode = (traits: number): boolean =>
  (traits & (UPPER | LOWER)) === (UPPER | LOWER) || (traits & DIGIT) !== 0;

/** True for what its own form tells to be a key: no other value lies in it. */
export function isKnownKey({ rule }: PiiSpan): boolean {
  return rule !== ASSIGNED && rule !== URL_PASSWORD;
}

const ASSIGNED = 'secret.assigned-secret';
const URL_PASSWORD = 'secret.url-password';

/** Looks into a long token that no known form fits. */
export type LookInside = (text: string, start: number, end: number) => PiiSpan | undefined;

/** Keys and credentials in `text`: by their form, by what they are assigned to, and whole private keys. */
export function findSecrets({ string: text, codes }: Text, inside?: LookInside): PiiSpan[] {
  const spans: PiiSpan[] = [];
  /** Found inside tokens. They come last: of two with the same place the first is meant. */
  const decoded: PiiSpan[] = [];
  const { length } = text;
  const table = TRAITS;
  for (let i = nextLongToken(codes, 0, length); i < length; i = nextLongToken(codes, i, length)) {
    const tokenStart = i;
    let traits = 0;
    // cut, so that a long run with many keys in it is not walked to its end for each of them
    const limit = Math.min(length, tokenStart + MAX_RUN);
    for (let bits = table[codes[i]!]!; bits !== 0 && i < limit; bits = table[codes[++i]!]!) traits |= bits;
    const known = knownIn(text, codes, tokenStart, i);
    if (known !== undefined) {
      spans.push(known);
      i = known.end;
    } else if (i - tokenStart >= MIN_CODE && (traits & LETTER) !== 0) {
      const assigned = i - tokenStart >= MIN_TOKEN ? assignedAt(text, tokenStart, i) : undefined;
      const coded = assigned === undefined && isCode(traits) ? inside?.(text, tokenStart, i) : undefined;
      if (assigned !== undefined) spans.push(assigned);
      else if (coded !== undefined) decoded.push(coded);
    }
  }
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    const span = urlSecretAt(text, at);
    if (span !== undefined) spans.push(span);
  }
  for (let at = text.indexOf(BEGIN); at >= 0; at = text.indexOf(BEGIN, at + BEGIN.length)) {
    const span = privateKeyAt(text, at);
    if (span !== undefined) spans.push(span);
  }
  return withoutOverlaps(decoded.length === 0 ? spans : [...spans, ...decoded]);
}

/** Where the next run of token characters begins that is as long as the shortest form, looked for from its end. */
function nextLongToken(codes: Uint16Array, from: number, length: number): number {
  const table = TRAITS;
  let start = from;
  while (start + MIN_FORM <= length) {
    let at = start + MIN_FORM - 1;
    while (at >= start && table[codes[at]!] !== 0) at--;
    if (at < start) return start;
    start = at + 1;
  }
  return length;
}

/** At each word of a token the start of a known form may stand. */
function knownIn(text: string, codes: Uint16Array, start: number, end: number): PiiSpan | undefined {
  let inWord = false;
  let turns = 0;
  for (let i = start; i < end; i++) {
    const code = codes[i]!;
    if ((CHAR_CLASS[code]! & (DIGIT | LETTER)) === 0) {
      inWord = false;
      continue;
    }
    if (inWord) continue;
    // a key may follow the letter of an escaped line end
    inWord = codes[i - 1] !== BACKSLASH || !isLineEscape(text, i);
    const lead = leadOf(code, codes[i + 1]!, codes[i + 2]!);
    const marks = leadMarks[lead]!;
    if (marks === 0) continue;
    const span = (marks & STRAIGHT) === 0 ? undefined : kindAt(text, i);
    if (span !== undefined) return span;
    if ((marks & TURNED) === 0 || turns >= MAX_TURNS) continue;
    if (!turnedByLead.get(lead)!.some((start) => text.startsWith(start, i))) continue;
    turns++;
    const turned = rot13KindIn(text, i, end);
    if (turned !== undefined) return turned;
  }
  return undefined;
}

/** So often within one token a key in rot13 is looked for. */
const MAX_TURNS = 3;

/** A known form that is written in rot13 from `at` on. */
function rot13KindIn(text: string, at: number, end: number): PiiSpan | undefined {
  const span = kindAt(rot13(text.slice(at, Math.min(end, at + MAX_TOKEN))), 0);
  return span === undefined ? undefined : { ...span, start: at, end: at + span.end };
}

function kindAt(text: string, at: number): PiiSpan | undefined {
  const lead = leadOf(text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2));
  let best: PiiSpan | undefined;
  for (const kind of byLead.get(lead) ?? []) {
    if (!text.startsWith(kind.start, at)) continue;
    const match = matchAt(kind.pattern, text, at);
    // of forms that begin alike the longest is meant
    if (match === null || at + match[0].length <= (best?.end ?? 0)) continue;
    best = found(at, keyEnd(text, kind, at, at + match[0].length), kind.id, 0.97);
  }
  return best;
}

/** Where a key ends that takes any number of characters: before a value that was written behind it with a `_` or `-`. */
function keyEnd(text: string, { start, pattern }: CompiledKind, at: number, end: number): number {
  for (let i = at + start.length; i < end; i++) {
    if (SEPARATORS[text.charCodeAt(i)] !== 1 || !beginsValue(text, i + 1, end)) continue;
    const key = text.slice(at, i);
    if (matchAt(pattern, key, 0)?.[0].length === key.length) return i;
  }
  return end;
}

const SEPARATORS = new Uint8Array(65_536);
for (const separator of '-_.~/+=') SEPARATORS[separator.charCodeAt(0)] = 1;

/** True where a number, an address or another key begins at `at`. */
function beginsValue(text: string, at: number, end: number): boolean {
  if (beginsNumber(text, at)) return true;
  if (text.charCodeAt(end) === AT && emailAt(text, end, at, text.length) !== undefined) return true;
  const lead = leadOf(text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2));
  return (byLead.get(lead) ?? []).some(({ pattern }) => matchesAt(pattern, text, at));
}

const AT = 64;
const BACKSLASH = 92;

function privateKeyAt(text: string, at: number): PiiSpan | undefined {
  if (!text.startsWith(BEGIN, at)) return undefined;
  // no further than a key may be long, so that many beginnings without an end cost no more than one
  const key = text.slice(at, at + MAX_PRIVATE_KEY);
  const head = key.indexOf('-----', BEGIN.length);
  if (head < 0 || head > 80 || !key.slice(0, head).includes('PRIVATE KEY')) return undefined;
  const next = key.indexOf(BEGIN, head);
  const tail = (next < 0 ? key : key.slice(0, next)).indexOf('-----END ', head);
  const close = tail < 0 ? -1 : key.indexOf('-----', tail + 9);
  const end = at + (close < 0 ? head + 5 : close + 5);
  return found(at, end, 'private-key', 0.99);
}

/** A hook's address is a secret by itself; others may carry a password. */
function urlSecretAt(text: string, colon: number): PiiSpan | undefined {
  let start = colon;
  while (start > 0 && start > colon - 20 && /[a-z0-9+.-]/i.test(text[start - 1]!)) start--;
  const hook = kindAt(text, start);
  if (hook !== undefined) return hook;
  const match = matchAt(CREDENTIAL_URL, text, start);
  if (match === null || PLACEHOLDER.test(match[1]!) || /^(?:pass(?:word)?|pwd|secret)$/i.test(match[1]!))
    return undefined;
  const end = match.index + match[0].length - 2;
  return found(end - match[1]!.length, end, 'url-password', 0.85);
}

/** A long mixed token that a word such as `secret=` introduces, or that fits a form without a literal start. */
function assignedAt(text: string, tokenStart: number, tokenEnd: number): PiiSpan | undefined {
  let start = tokenStart;
  let end = tokenEnd;
  if (end - start > MAX_TOKEN) return undefined;
  // `name=value` is one token here: the value is what follows the first `=` that is no padding
  // in the token alone: a search that runs on to the end of the text would be made for every token
  const equals = start + text.slice(start, end).indexOf('=');
  if (equals > start && equals < end - MIN_TOKEN) start = equals + 1;
  while (end > start && (text.charCodeAt(end - 1) === 46 || text.charCodeAt(end - 1) === 45)) end--;
  if (end - start < MIN_TOKEN) return undefined;
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
  for (const kind of openKinds) {
    const match = matchAt(kind.pattern, text, start);
    if (match !== null && match.index + match[0].length === end) return found(start, end, kind.id, 0.9);
  }
  const lead = text.slice(Math.max(0, start - 40), start);
  if (
    !KEYWORD.test(lead) ||
    /(?:public|primary|foreign|cache|sort|partition|hash|checksum|sha\d*|md5|digest|integrity|etag|fingerprint|next|page|csrf|commit)[\w" '-]{0,12}$/i.test(
      lead.replace(/["'`:=\s]+$/, ''),
    )
  ) {
    return undefined;
  }
  const value = text.slice(start, end);
  if (
    PLACEHOLDER.test(value) ||
    /^[a-z]+(?:[-_.][a-z0-9]+)+$/.test(value) ||
    /^[\w.]+\.[a-zA-Z]{2,}$/.test(value)
  )
    return undefined;
  if (entropyOf(text, start, end) < 3.2) return undefined;
  return found(start, end, 'assigned-secret', 0.8);
}

function found(start: number, end: number, rule: string, confidence: number): PiiSpan {
  return { start, end, type: 'api_key', rule: `secret.${rule}`, confidence };
}
