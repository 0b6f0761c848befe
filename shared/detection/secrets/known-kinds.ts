import { VALUE } from '../operating-points/values.ts';
import { CHAR_CLASS, DIGIT, LETTER } from '../pii/char-class.ts';
import { emailAt } from '../pii/email.ts';
import { isLineEscape } from '../pii/glue.ts';
import { beginsNumber } from '../pii/number-forms.ts';
import type { PiiSpan } from '../pii/spans.ts';
import { matchAt, matchesAt } from '../read/match-at.ts';
import { compileForm, literalStart, shortestOf } from './form.ts';
import { SECRET_KINDS } from './kinds.ts';
import { secretSpan } from './secret-span.ts';

interface CompiledKind {
  readonly id: string;
  readonly start: string;
  readonly pattern: RegExp;
  /** Length of the shortest key. UTF-16 units. */
  readonly least: number;
}

/** Kinds by the first three characters of their form, so that one array lookup per word excludes nearly all words. */
const byLead = new Map<number, CompiledKind[]>();
/** The prefixes of their forms in rot13, in the same way. */
const turnedByLead = new Map<number, string[]>();
const leadMarks = new Uint8Array(4096);
/** The possible origin of a lead: a form as written, or one in rot13. */
const STRAIGHT = 1;
const TURNED = 2;
/** Kinds whose form begins with a hole; tried on long tokens only. */
export const OPEN_KINDS: CompiledKind[] = [];
for (const kind of SECRET_KINDS) {
  const start = literalStart(kind.form);
  const compiled = { id: kind.id, start, pattern: compileForm(kind.form), least: shortestOf(kind.form) };
  if (start.length < 2) {
    OPEN_KINDS.push(compiled);
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

/** Shifts ASCII letters by half the alphabet. */
function rot13(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    String.fromCharCode(letter.charCodeAt(0) + (/[a-m]/i.test(letter) ? 13 : -13)),
  );
}

function leadOf(first: number, second: number, third: number): number {
  return ((first * 31 + second) * 31 + third) & 4095;
}

/** Returns the leads of a prefix; one of two characters is combined with every third one. */
function leadsOf(start: string): number[] {
  if (start.length >= 3) return [leadOf(start.charCodeAt(0), start.charCodeAt(1), start.charCodeAt(2))];
  const leads = new Set<number>();
  for (let third = 33; third < 127; third++)
    leads.add(leadOf(start.charCodeAt(0), start.charCodeAt(1), third));
  return [...leads];
}

const MAX_TOKEN = 512;

/** Returns the first key of a known form in a token; one may begin at each word of it. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the characters of every token
export function knownIn(text: string, codes: Uint16Array, start: number, end: number): PiiSpan | undefined {
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
    if (!beginsTurned(text, i, lead)) continue;
    turns++;
    const turned = rot13KindIn(text, i, end);
    if (turned !== undefined) return turned;
  }
  return undefined;
}

/** A function of its own, because a closure in the loop would cost each of its turns an object. */
function beginsTurned(text: string, at: number, lead: number): boolean {
  return turnedByLead.get(lead)!.some((start) => text.startsWith(start, at));
}

/** How often a key in rot13 is searched within one token. */
const MAX_TURNS = 3;

/** Returns a key of a known form that is encoded in rot13 from `at` on. */
function rot13KindIn(text: string, at: number, end: number): PiiSpan | undefined {
  const span = kindAt(rot13(text.slice(at, Math.min(end, at + MAX_TOKEN))), 0);
  return span === undefined ? undefined : { ...span, start: at, end: at + span.end };
}

/** A run of the same character, such as base64 of zeros. */
const ONE_CHARACTER = /^(.)\1*$/;

export function kindAt(text: string, at: number): PiiSpan | undefined {
  const lead = leadOf(text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2));
  let best: PiiSpan | undefined;
  for (const kind of byLead.get(lead) ?? []) {
    if (!text.startsWith(kind.start, at)) continue;
    const match = matchAt(kind.pattern, text, at);
    // of forms with the same prefix the longest wins
    if (match === null || at + match[0].length <= (best?.end ?? 0)) continue;
    if (ONE_CHARACTER.test(match[0])) continue;
    best = secretSpan(at, keyEnd(text, kind, at, at + match[0].length), kind.id, VALUE.secretKind);
  }
  return best;
}

/** Returns the end of a key of variable length: before a value that is attached to it with a `_` or `-`. */
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

/** True if a number, an address or another key begins at `at`. */
function beginsValue(text: string, at: number, end: number): boolean {
  if (beginsNumber(text, at)) return true;
  if (text.charCodeAt(end) === AT && emailAt(text, end, at, text.length) !== undefined) return true;
  const lead = leadOf(text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2));
  return (byLead.get(lead) ?? []).some(({ pattern }) => matchesAt(pattern, text, at));
}

const AT = 64;
const BACKSLASH = 92;
