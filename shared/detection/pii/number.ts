import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { CHAR_CLASS, DIGIT, isAlnum, LETTER, NUMBER_GAP } from './char-class.ts';
import {
  after,
  before,
  CARD_BEFORE,
  PHONE_AFTER,
  PHONE_BEFORE,
  SSN_BEFORE,
  THING_BEFORE,
} from './context.ts';
import { cardVerdict } from './credit-card.ts';
import { isIpv4, isVersionContext } from './ip-address.ts';
import type { PiiSpan } from './spans.ts';

const MAX_WINDOW = 40;
const MAX_GROUPS = 12;
const MAX_PHONE_GROUPS = 6;

interface Group {
  readonly start: number;
  readonly end: number;
  /** What stands between the group before and this one. */
  readonly gap: string;
}

/** What bounds the costly part of one call of `findPii`. */
export interface NumberBudget {
  phoneValidations: number;
}

export interface NumberReading {
  readonly spans: readonly PiiSpan[];
  /** Where to read on. */
  readonly next: number;
}

/** Reads the number that starts at the digit `at`: groups of digits with single gaps, then card, SSN, IPv4 or phone. */
export function readNumber(text: string, at: number, floor: number, budget: NumberBudget): NumberReading {
  const groups = groupsFrom(text, at);
  const last = groups[groups.length - 1]!;
  const runEnd = last.end;
  const total = groups.reduce((sum, group) => sum + group.end - group.start, 0);
  if (total < 4 || isGlued(text, at, floor)) return { spans: [], next: groups[0]!.end };
  // 0x… and hexadecimal ids: letters follow the digits at once
  if (groups.length === 1 && isAlnum(text, runEnd) && !/^x\d{1,6}\b/i.test(text.slice(runEnd, runEnd + 8))) {
    return { spans: [], next: runEnd };
  }
  const dotted = dottedQuad(text, groups);
  if (dotted !== undefined) return dotted;
  if (total < 7) return { spans: [], next: groups.length === 1 ? runEnd : groups[0]!.end };
  const lead = before(text, at);
  for (let first = 0; first < groups.length && first < 4; first++) {
    const card = cardFrom(text, groups, first, first === 0 ? lead : before(text, groups[first]!.start));
    if (card !== undefined) return { spans: [card], next: card.end };
  }
  const ssn = ssnFrom(text, groups, lead);
  if (ssn !== undefined) return { spans: [ssn], next: ssn.end };
  const phone = phoneFrom(text, groups, lead, floor, budget);
  if (phone !== undefined) return { spans: [phone], next: phone.end };
  // a card may begin at a later group; the first four have been tried
  const mixed = groups.length > 2 && groups[1]!.gap !== groups[2]!.gap;
  return { spans: [], next: mixed ? groups[0]!.end : groups[Math.min(3, groups.length - 1)]!.end };
}

function groupsFrom(text: string, at: number): Group[] {
  const groups: Group[] = [];
  let index = at;
  let gap = '';
  while (groups.length < MAX_GROUPS) {
    const start = index;
    while ((text.charCodeAt(index) & ~15) === 48 && (CHAR_CLASS[text.charCodeAt(index)]! & DIGIT) !== 0)
      index++;
    if (index === start) break;
    groups.push({ start, end: index, gap });
    if (index - at > MAX_WINDOW) break;
    const gapStart = index;
    while (index - gapStart < 3 && isGap(text.charCodeAt(index))) index++;
    if (index === gapStart || index - gapStart > 2) break;
    gap = plainGap(text.slice(gapStart, index));
  }
  return groups;
}

function plainGap(gap: string): string {
  return gap.replace(/[\u00a0\u2009\u202f]/g, ' ').replace(/[\u2010-\u2015\u2212]/g, '-');
}

function isGap(code: number): boolean {
  if (code < 128) return (CHAR_CLASS[code]! & NUMBER_GAP) !== 0;
  // no-break and thin spaces, hyphens and dashes
  return (
    code === 0xa0 ||
    code === 0x2009 ||
    code === 0x202f ||
    (code >= 0x2010 && code <= 0x2015) ||
    code === 0x2212
  );
}

/** True where the digits go on something: an identifier, a UUID, a decimal, a path. */
function isGlued(text: string, at: number, floor: number): boolean {
  if (at <= floor) return false;
  const code = text.charCodeAt(at - 1);
  if (code === 95 || (code < 128 && (CHAR_CLASS[code]! & (LETTER | DIGIT)) !== 0)) return true;
  if (code === 45 || code === 46 || code === 47 || code === 35 || code === 37) {
    return code === 35 || code === 37 || isAlnum(text, at - 2);
  }
  return code === 36 || code === 0x20ac || code === 0xa3;
}

function dottedQuad(text: string, groups: readonly Group[]): NumberReading | undefined {
  let dots = 0;
  while (dots + 1 < groups.length && groups[dots + 1]!.gap === '.') dots++;
  if (dots < 3) return undefined;
  const start = groups[0]!.start;
  const end = groups[dots]!.end;
  // five pairs and more are a phone number or an outline number; the phone reader decides
  if (dots > 3) return undefined;
  // a dotted phone number has longer groups
  if (
    !isIpv4(text.slice(start, groups[3]!.end)) ||
    isAlnum(text, end) ||
    isVersionContext(before(text, start))
  ) {
    return groups.slice(0, 4).every((group) => group.end - group.start <= 3)
      ? { spans: [], next: end }
      : undefined;
  }
  return { spans: [{ start, end, type: 'ip_address', rule: 'pii.ipv4', confidence: 0.92 }], next: end };
}

function digitsOf(text: string, groups: readonly Group[], first: number, last: number): string {
  let digits = '';
  for (let i = first; i <= last; i++) digits += text.slice(groups[i]!.start, groups[i]!.end);
  return digits;
}

function cardFrom(text: string, groups: readonly Group[], first: number, lead: string): PiiSpan | undefined {
  let digits = '';
  const gap = groups[first + 1]?.gap ?? '';
  for (let last = first; last < groups.length; last++) {
    const group = groups[last]!;
    if (last > first && (group.gap !== gap || (gap !== ' ' && gap !== '-' && gap !== '.'))) break;
    digits += text.slice(group.start, group.end);
    if (digits.length > 19) break;
    if (digits.length < 12) continue;
    // every fourth digit a gap, or the 4-6-5 and 4-6-4 of Amex and Diners; a single digit each is a spaced-out card
    if (last > first && !isCardGrouping(groups, first, last)) continue;
    const verdict = cardVerdict(digits);
    if (verdict === 'no' || isAlnum(text, group.end)) continue;
    const named = CARD_BEFORE.test(lead);
    if (verdict === 'context' && !named) continue;
    if (!named && THING_BEFORE.test(lead)) continue;
    // more digits follow after the same gap: a longer number of something else
    if (
      groups[last + 1]?.gap === gap &&
      last > first &&
      groups[last + 1]!.end - groups[last + 1]!.start === 4
    )
      continue;
    const confidence = named ? 0.99 : last > first ? 0.97 : 0.9;
    return {
      start: groups[first]!.start,
      end: group.end,
      type: 'credit_card',
      rule: 'pii.credit-card',
      confidence,
    };
  }
  return undefined;
}

function isCardGrouping(groups: readonly Group[], first: number, last: number): boolean {
  const sizes: number[] = [];
  for (let i = first; i <= last; i++) sizes.push(groups[i]!.end - groups[i]!.start);
  if (sizes.every((size) => size === 1)) return true;
  if (sizes[0] !== 4) return false;
  if (sizes.length === 3) return sizes[1] === 6 && (sizes[2] === 5 || sizes[2] === 4);
  return sizes.slice(0, -1).every((size) => size === 4) && sizes[sizes.length - 1]! <= 4;
}

function ssnFrom(text: string, groups: readonly Group[], lead: string): PiiSpan | undefined {
  const named = SSN_BEFORE.test(lead);
  const first = groups[0]!;
  const found = (end: number, confidence: number): PiiSpan => ({
    start: first.start,
    end,
    type: 'ssn',
    rule: 'pii.ssn',
    confidence,
  });
  if (first.end - first.start === 9 && named && isSsn(text.slice(first.start, first.end)))
    return found(first.end, 0.95);
  const [, middle, tail] = groups;
  if (middle === undefined || tail === undefined) return undefined;
  const size = `${first.end - first.start}${middle.end - middle.start}${tail.end - tail.start}`;
  if (size !== '324' || middle.gap !== tail.gap || !isSsn(digitsOf(text, groups, 0, 2))) return undefined;
  if (groups[3]?.gap === middle.gap || isAlnum(text, tail.end)) return undefined;
  if (named) return found(tail.end, 0.99);
  if (middle.gap !== '-') return undefined;
  return THING_BEFORE.test(lead) || PHONE_BEFORE.test(lead) ? undefined : found(tail.end, 0.9);
}

/** Areas, groups and serials that were never given out are no SSN (SSA, POMS RM 10201.035). */
function isSsn(digits: string): boolean {
  const area = Number(digits.slice(0, 3));
  return area > 0 && area !== 666 && area < 900 && digits.slice(3, 5) !== '00' && digits.slice(5) !== '0000';
}

function phoneFrom(
  text: string,
  groups: readonly Group[],
  lead: string,
  floor: number,
  budget: NumberBudget,
): PiiSpan | undefined {
  let start = groups[0]!.start;
  let plus = false;
  let bracket = false;
  if (start > floor && text.charCodeAt(start - 1) === 43) {
    start--;
    plus = true;
    if (start > floor && text.charCodeAt(start - 1) === 40) start--;
  } else if (start > floor && text.charCodeAt(start - 1) === 40 && groups[1]?.gap.startsWith(')') === true) {
    start--;
    bracket = true;
    if (/[\w]$/.test(lead.slice(0, -1))) return undefined;
  }
  let last = 0;
  let digits = groups[0]!.end - groups[0]!.start;
  while (last + 1 < groups.length && isPhoneGap(groups[last + 1]!.gap, last)) {
    const size = groups[last + 1]!.end - groups[last + 1]!.start;
    if (digits + size > 15) break;
    digits += size;
    last++;
  }
  const end = groups[last]!.end;
  if (digits < 7 || digits > 15 || last > MAX_PHONE_GROUPS - 1) return undefined;
  const sizes = groups.slice(0, last + 1).map((group) => group.end - group.start);
  const shape = sizes.join('-');
  const tail = extensionEnd(text, end);
  if (tail === end && isAlnum(text, end)) return undefined;
  const found = (confidence: number): PiiSpan => ({
    start,
    end: tail,
    type: 'phone',
    rule: 'pii.phone',
    confidence,
  });
  const named = PHONE_BEFORE.test(lead) || PHONE_AFTER.test(after(text, tail));
  if (plus) {
    if (budget.phoneValidations-- > 0) {
      const parsed = parsePhoneNumberFromString(`+${digitsOf(text, groups, 0, last)}`);
      return parsed?.isPossible() === true || named ? found(0.97) : undefined;
    }
    return digits >= 9 ? found(0.7) : undefined;
  }
  if (isDateLike(text, groups, last)) return undefined;
  if (bracket && sizes[0]! >= 2 && sizes[0]! <= 5 && sizes.slice(1).every((size) => size >= 2 && size <= 5))
    return found(0.9);
  const gaps = groups.slice(1, last + 1).map((group) => group.gap);
  const uniform = gaps.every((gap) => gap === '-') || gaps.every((gap) => gap === '.');
  if (THING_BEFORE.test(lead) && !named) return undefined;
  const northAmerican = /^(?:1-|001-)?3-3-4$/.test(shape);
  if (northAmerican && (uniform || named)) return found(named ? 0.97 : 0.85);
  if (tail > end && digits >= 10) return found(0.85);
  if (/^00\d/.test(digitsOf(text, groups, 0, last)) && sizes.length > 2 && digits >= 10) return found(0.85);
  if (!named) return undefined;
  if (sizes.length === 1) return digits >= 8 && digits <= 12 ? found(0.8) : undefined;
  return sizes.every((size, index) => size <= (index === 0 ? 5 : 8)) ? found(0.85) : undefined;
}

function isPhoneGap(gap: string, index: number): boolean {
  if (gap.length === 1) return gap !== '(' && gap !== ')' ? true : index <= 1;
  return gap === ') ' || gap === ' (' || gap === ')-' || gap === '-(' || gap === ').';
}

function isDateLike(text: string, groups: readonly Group[], last: number): boolean {
  const written = text.slice(groups[0]!.start, groups[Math.min(last, 2)]!.end);
  return /^(?:(?:19|20)\d\d[-/. ](?:0?[1-9]|1[0-2])[-/. ](?:0?[1-9]|[12]\d|3[01])|(?:0?[1-9]|[12]\d|3[01])[-/.](?:0?[1-9]|[12]\d|3[01])[-/.](?:19|20)?\d\d)$/.test(
    written,
  );
}

function extensionEnd(text: string, end: number): number {
  const match = /^(?:\s?(?:x|ext\.?|extension|#)\s?\d{1,6})(?![\w])/i.exec(text.slice(end, end + 18));
  return match === null ? end : end + match[0].length;
}
