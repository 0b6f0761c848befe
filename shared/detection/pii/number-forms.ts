import { isAlnum } from './char-class.ts';
import { cardEnd } from './credit-card.ts';
import { DigitGroups } from './digit-groups.ts';
import { isIpv4 } from './ip-address.ts';

/**
 * Returns the last group of a number that its form alone identifies: a card, an SSN with hyphens, a North American
 * phone number, an IPv4 address. It begins with group `first`; -1 if there is none. This separates adjacent values.
 */
export function formEnd(groups: DigitGroups, first: number): number {
  if (first >= groups.count) return -1;
  const size = groups.size(first);
  let last = -1;
  if (size === 4 || size >= 12) last = cardEnd(groups, first, first, 'yes');
  else if (size <= 3) last = shortFormEnd(groups, first);
  return last !== -1 && !isAlnum(groups.text, groups.end[last]!) ? last : -1;
}

/** Handles the forms that begin with one to three digits. */
function shortFormEnd(groups: DigitGroups, first: number): number {
  if (isSsnAt(groups, first) && groups.gap(first + 1) === '-') return first + 2;
  if (northAmericanEnd(groups, first) !== -1 && isUniform(groups, first, first + 2)) return first + 2;
  const isQuad =
    isQuadAt(groups, first) && (groups.gap(first + 4) !== '.' || formEnd(groups, first + 4) !== -1);
  return isQuad ? first + 3 : -1;
}

/** Longer than two adjacent numbers. */
const MAX_PIECE = 64;

/** True if a number that its form alone identifies begins at `at`. */
export function beginsNumber(text: string, at: number): boolean {
  const first = text.charCodeAt(at);
  if (!(first >= 48 && first <= 57)) return false;
  const piece = text.slice(at, at + MAX_PIECE);
  const codes = new Uint16Array(MAX_PIECE + 4);
  for (let i = 0; i < piece.length; i++) codes[i] = piece.charCodeAt(i);
  const groups = new DigitGroups();
  groups.read(piece, codes, 0);
  return formEnd(groups, 0) !== -1;
}

/** True for 219-09-9999: three, two and four digits with equal separators. */
export function isSsnAt(groups: DigitGroups, first: number): boolean {
  if (first + 2 >= groups.count) return false;
  if (groups.size(first) !== 3 || groups.size(first + 1) !== 2 || groups.size(first + 2) !== 4) return false;
  return groups.gap(first + 1) === groups.gap(first + 2) && isSsn(groups.join(first, first + 2));
}

/** True for an SSN; area, group and serial numbers that are never assigned are not one (SSA, POMS RM 10201.035). */
export function isSsn(digits: string): boolean {
  const area = Number(digits.slice(0, 3));
  return area > 0 && area !== 666 && area < 900 && digits.slice(3, 5) !== '00' && digits.slice(5) !== '0000';
}

/** Returns the last group of a number such as 415-555-2671, with or without a 1 before it; -1 for other forms. */
export function northAmericanEnd(groups: DigitGroups, first: number): number {
  const area = groups.size(first) === 1 ? first + 1 : first;
  if (area + 2 >= groups.count || groups.size(area) !== 3) return -1;
  return groups.size(area + 1) === 3 && groups.size(area + 2) === 4 ? area + 2 : -1;
}

/** True if all groups are separated by hyphens, or all by dots. */
export function isUniform(groups: DigitGroups, first: number, last: number): boolean {
  const gap = groups.gap(first + 1);
  if (gap !== '-' && gap !== '.') return false;
  for (let i = first + 2; i <= last; i++) if (groups.gap(i) !== gap) return false;
  return true;
}

/** True if four groups with dots are an IPv4 address. */
export function isQuadAt(groups: DigitGroups, first: number): boolean {
  if (first + 3 >= groups.count) return false;
  for (let i = first + 1; i <= first + 3; i++) if (groups.gap(i) !== '.') return false;
  return isIpv4(groups.text.slice(groups.start[first]!, groups.end[first + 3]!));
}
