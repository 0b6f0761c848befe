import { VALUE } from '../operating-points/values.ts';
import { isAlnum } from './char-class.ts';
import { before, leadOf, PHONE_BEFORE, SSN_BEFORE, THING_BEFORE } from './context.ts';
import { DigitGroups } from './digit-groups.ts';
import { isAfterValue, isLineEscape } from './glue.ts';
import { isVersionContext } from './ip-address.ts';
import { formEnd, isQuadAt, isSsn, isSsnAt } from './number-forms.ts';
import { phoneFrom } from './phone.ts';
import { readCard } from './read-card.ts';
import type { NumberList, Recognized, Walk } from './recognizer.ts';
import type { PiiSpan } from './spans.ts';
import { splitCardFrom } from './split-card.ts';

/** The maximum length that is read of a number and the next one. UTF-16 units. */
export const MAX_NUMBER = 128;

const PLUS = 43;

/** Reads the number that starts at the digit `at`: groups of digits with single gaps, then card, SSN, IPv4 or phone. */
export function readNumber(walk: Walk, at: number): Recognized {
  const { text, codes, floor } = walk;
  if (isGlued(text, at, floor)) return { next: digitsEnd(codes, at) };
  walk.groups ??= new DigitGroups();
  const { groups } = walk;
  groups.read(text, codes, at);
  const { count, digits } = groups;
  const firstEnd = groups.end[0]!;
  // 0x… and hexadecimal ids: letters directly follow the digits
  if (count === 1 && isAlnum(text, firstEnd) && !/^x\d{1,6}\b/i.test(text.slice(firstEnd, firstEnd + 8)))
    return { next: firstEnd };
  const plus = hasPlus(text, codes, at, floor);
  const dotted = plus ? undefined : dottedQuad(text, codes, groups);
  if (dotted !== undefined) return dotted;
  if (digits < 7) {
    const card = splitCardFrom(text, codes, at, firstEnd);
    return card === undefined ? { next: firstEnd } : { span: card, next: card.end };
  }
  const lead = leadBefore(text, codes, at, floor, walk.list);
  let span = readValue(text, codes, groups, lead, plus, floor, walk);
  if (span === undefined && groups.dropLast(codes) && groups.digits >= 7)
    span = readValue(text, codes, groups, lead, plus, floor, walk);
  span ??= splitCardFrom(text, codes, at, firstEnd);
  if (span === undefined) return { next: readTo(groups) };
  walk.list = { lead, size: span.end - at, end: span.end };
  return { span, next: span.end };
}

/** Returns the value that the groups begin with, or a card number that begins within them. */
function readValue(
  text: string,
  codes: Uint16Array,
  groups: DigitGroups,
  lead: string,
  plus: boolean,
  floor: number,
  walk: Walk,
): PiiSpan | undefined {
  if (plus) {
    const phone = phoneFrom(text, groups, lead, floor, walk);
    if (phone !== undefined) return phone;
  }
  const span = readCard(text, groups, 0, lead) ?? ssnFrom(text, groups, lead);
  if (span !== undefined || plus) return span ?? laterCard(text, groups);
  const start = groups.start[0]!;
  const isSigned = codes[start - 1] === PLUS;
  return (
    phoneFrom(text, groups, lead, floor, walk) ??
    (isSigned ? phoneFrom(text, groups, lead, start, walk) : undefined) ??
    laterCard(text, groups)
  );
}

/** True after a plus that belongs to the number: in `Tel+49…` it does, in `is+219-09-9999` it encodes a space. */
function hasPlus(text: string, codes: Uint16Array, at: number, floor: number): boolean {
  const plus = at - 1;
  if (codes[plus] !== PLUS || (plus === floor && floor > 0)) return false;
  return !isAlnum(text, plus - 1) || PHONE_BEFORE.test(leadOf(text, codes, at));
}

/**
 * Returns the words that name a number: those before it, or those before the list in which it follows a number of the
 * same size.
 */
function leadBefore(
  text: string,
  codes: Uint16Array,
  at: number,
  floor: number,
  list: NumberList | undefined,
): string {
  if (list !== undefined && at - list.end <= MAX_BETWEEN && BETWEEN.test(text.slice(list.end, at))) {
    const end = at + list.size;
    if (isDigitAt(codes, end - 1) && !isDigitAt(codes, end)) return list.lead;
  }
  // marks between two values do not name the second
  return isAfterValue(text, at, floor) ? '' : leadOf(text, codes, at);
}

const MAX_BETWEEN = 10;
const BETWEEN = /^\s{0,3}(?:[,;/|&(]|and|or|und|oder|et|ou|y|o|e)?\s{0,3}\(?$/i;

function isDigitAt(codes: Uint16Array, index: number): boolean {
  return codes[index]! >= 48 && codes[index]! <= 57;
}

/** Returns the card number that begins with one of the next three groups. Words cannot be between groups. */
function laterCard(text: string, groups: DigitGroups): PiiSpan | undefined {
  for (let first = 1; first < groups.count && first < 4; first++) {
    // the digits after a decimal point
    if (groups.gap(first) === '.' && groups.gap(first + 1) !== '.') continue;
    const card = readCard(text, groups, first, '');
    if (card !== undefined) return card;
  }
  return undefined;
}

/** Returns the end of groups without a value. The first groups with equal separators were tried, at most four. */
function readTo(groups: DigitGroups): number {
  const gap = groups.gap(1);
  let last = 1;
  while (last < 3 && groups.gap(last + 1) === gap) last++;
  // after a different separator the last group may begin a value
  const behind = groups.gap(last + 1);
  const isWhole = behind === '' || behind === gap;
  return groups.end[Math.min(isWhole ? last : last - 1, groups.count - 1)]!;
}

function digitsEnd(codes: Uint16Array, at: number): number {
  let end = at;
  while (codes[end]! >= 48 && codes[end]! <= 57) end++;
  return end;
}

/** True if the digits continue something: an identifier, a UUID, a decimal, a path. */
function isGlued(text: string, at: number, floor: number): boolean {
  if (at <= floor) return false;
  const code = text.charCodeAt(at - 1);
  if (isAlnum(text, at - 1)) return !isLineEscape(text, at - 1);
  const glue = GLUE[code]!;
  if (glue === 0 || (glue === JOINT && !isAlnum(text, at - 2))) return false;
  return !isAfterValue(text, at, floor);
}

/** Characters that attach the following digits to an identifier; a JOINT only after a letter or digit. */
const GLUE = new Uint8Array(65_536);
const JOINT = 2;
for (const mark of '_#%$€£') GLUE[mark.charCodeAt(0)] = 1;
for (const mark of '-./') GLUE[mark.charCodeAt(0)] = JOINT;

function dottedQuad(text: string, codes: Uint16Array, groups: DigitGroups): Recognized | undefined {
  // Five or more groups are a phone number or an outline number, left to the phone reader.
  const isFollowed = groups.gap(4) === '.' && !isAddressBefore(groups);
  if (groups.count < 4 || (isFollowed && !(groups.count === 5 && groups.dropLast(codes)))) return undefined;
  for (let i = 1; i < 4; i++) if (groups.gap(i) !== '.') return undefined;
  const start = groups.start[0]!;
  const end = groups.end[3]!;
  // a dotted phone number has longer groups
  if (!isQuadAt(groups, 0) || isAlnum(text, end) || isVersionContext(before(text, start))) {
    for (let i = 0; i < 4; i++) if (groups.size(i) > 3) return undefined;
    return { next: end };
  }
  return { span: { start, end, type: 'ip_address', rule: 'pii.ipv4', confidence: VALUE.ipv4 }, next: end };
}

/** True if the address is followed by a dot and another value. Object identifiers begin with 0, 1 or 2. */
function isAddressBefore(groups: DigitGroups): boolean {
  if (groups.size(0) === 1 && groups.values[0]! < 3) return false;
  return isQuadAt(groups, 0) && (isQuadAt(groups, 4) || formEnd(groups, 4) !== -1);
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
    return isSsn(groups.join(0, 0)) && SSN_BEFORE.test(lead) ? found(0, VALUE.ssnJoined) : undefined;
  if (!isSsnAt(groups, 0) || isAlnum(text, groups.end[2]!)) return undefined;
  const gap = groups.gap(1);
  if (groups.gap(3) === gap && formEnd(groups, 3) === -1) return undefined;
  if (SSN_BEFORE.test(lead)) return found(2, VALUE.ssnNamed);
  if (gap !== '-') return undefined;
  return THING_BEFORE.test(lead) || PHONE_BEFORE.test(lead) ? undefined : found(2, VALUE.ssnAlone);
}
