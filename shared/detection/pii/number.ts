import { CHAR_CLASS, DIGIT, isAlnum, LETTER } from './char-class.ts';
import { before, justBefore, PHONE_BEFORE, SSN_BEFORE, THING_BEFORE } from './context.ts';
import { cardFrom } from './credit-card.ts';
import { DigitGroups } from './digit-groups.ts';
import { isIpv4, isVersionContext } from './ip-address.ts';
import { oddCardFrom } from './odd-card.ts';
import { type NumberBudget, phoneFrom } from './phone.ts';
import type { PiiSpan } from './spans.ts';

export interface NumberReading {
  readonly span?: PiiSpan;
  /** Where to read on. */
  readonly next: number;
}

const PLUS = 43;
const groups = new DigitGroups();

/**
 * Reads the number that starts at the digit `at`: groups of digits with single gaps, then card, SSN, IPv4 or phone.
 * `codes` are those of `text`.
 */
export function readNumber(
  text: string,
  codes: Uint16Array,
  at: number,
  floor: number,
  budget: NumberBudget,
): NumberReading {
  if (isGlued(text, at, floor)) return { next: digitsEnd(codes, at) };
  groups.read(text, codes, at);
  const { count, digits } = groups;
  const firstEnd = groups.end[0]!;
  if (digits < 4) return { next: firstEnd };
  // 0x… and hexadecimal ids: letters follow the digits at once
  if (count === 1 && isAlnum(text, firstEnd) && !/^x\d{1,6}\b/i.test(text.slice(firstEnd, firstEnd + 8)))
    return { next: firstEnd };
  const plus = at > floor && codes[at - 1] === PLUS;
  const dotted = plus ? undefined : dottedQuad(text, groups);
  if (dotted !== undefined) return dotted;
  if (digits < 7) {
    const card = oddCardFrom(text, codes, at, firstEnd);
    return card === undefined ? { next: firstEnd } : { span: card, next: card.end };
  }
  const lead = justBefore(text, codes, at);
  const phone = plus ? phoneFrom(text, groups, lead, floor, budget) : undefined;
  const span =
    phone ??
    cardFrom(text, groups, lead) ??
    ssnFrom(text, groups, lead) ??
    (plus ? undefined : phoneFrom(text, groups, lead, floor, budget)) ??
    oddCardFrom(text, codes, at, firstEnd);
  if (span !== undefined) return { span, next: span.end };
  // a card may begin at a later group; the first four have been tried
  const mixed = count > 2 && groups.gap(1) !== groups.gap(2);
  return { next: mixed ? firstEnd : groups.end[Math.min(3, count - 1)]! };
}

function digitsEnd(codes: Uint16Array, at: number): number {
  let end = at;
  while (codes[end]! >= 48 && codes[end]! <= 57) end++;
  return end;
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

function dottedQuad(text: string, groups: DigitGroups): NumberReading | undefined {
  // five and more are a phone number or an outline number; the phone reader decides
  if (groups.count < 4 || groups.gap(4) === '.') return undefined;
  for (let i = 1; i < 4; i++) if (groups.gap(i) !== '.') return undefined;
  const start = groups.start[0]!;
  const end = groups.end[3]!;
  // a dotted phone number has longer groups
  if (!isIpv4(text.slice(start, end)) || isAlnum(text, end) || isVersionContext(before(text, start))) {
    for (let i = 0; i < 4; i++) if (groups.size(i) > 3) return undefined;
    return { next: end };
  }
  return { span: { start, end, type: 'ip_address', rule: 'pii.ipv4', confidence: 0.92 }, next: end };
}

function ssnFrom(text: string, groups: DigitGroups, lead: string): PiiSpan | undefined {
  const found = (last: number, confidence: number): PiiSpan => ({
    start: groups.start[0]!,
    end: groups.end[last]!,
    type: 'ssn',
    rule: 'pii.ssn',
    confidence,
  });
  if (groups.size(0) === 9)
    return isSsn(groups.join(0, 0)) && SSN_BEFORE.test(lead) ? found(0, 0.95) : undefined;
  if (groups.count < 3 || groups.size(0) !== 3 || groups.size(1) !== 2 || groups.size(2) !== 4)
    return undefined;
  const gap = groups.gap(1);
  if (groups.gap(2) !== gap || groups.gap(3) === gap || isAlnum(text, groups.end[2]!)) return undefined;
  if (!isSsn(groups.join(0, 2))) return undefined;
  if (SSN_BEFORE.test(lead)) return found(2, 0.99);
  if (gap !== '-') return undefined;
  return THING_BEFORE.test(lead) || PHONE_BEFORE.test(lead) ? undefined : found(2, 0.9);
}

/** Areas, groups and serials that were never given out are no SSN (SSA, POMS RM 10201.035). */
function isSsn(digits: string): boolean {
  const area = Number(digits.slice(0, 3));
  return area > 0 && area !== 666 && area < 900 && digits.slice(3, 5) !== '00' && digits.slice(5) !== '0000';
}
