import type { DigitGroups } from './digit-groups.ts';

/** Checks Luhn's check digit over `count` digits from `at` on. */
export function passesLuhn(values: ArrayLike<number>, at: number, count: number): boolean {
  let sum = 0;
  let double = false;
  for (let i = at + count - 1; i >= at; i--) {
    const value = values[i]!;
    sum += double ? value * 2 - (value > 4 ? 9 : 0) : value;
    double = !double;
  }
  return sum % 10 === 0;
}

interface Issuer {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly lengths: readonly number[];
  /** True for wide ranges that everyday numbers fall into: they require a word for cards nearby. */
  readonly needsContext?: boolean;
}

/** Issuer identification ranges, compared on as many leading digits as `from` has. ISO/IEC 7812. */
const ISSUERS: readonly Issuer[] = [
  { name: 'visa', from: 4, to: 4, lengths: [13, 16, 19] },
  { name: 'mastercard', from: 51, to: 55, lengths: [16] },
  { name: 'mastercard', from: 2221, to: 2720, lengths: [16] },
  { name: 'amex', from: 34, to: 34, lengths: [15] },
  { name: 'amex', from: 37, to: 37, lengths: [15] },
  { name: 'discover', from: 6011, to: 6011, lengths: [16, 19] },
  { name: 'discover', from: 644, to: 649, lengths: [16, 19] },
  { name: 'discover', from: 65, to: 65, lengths: [16, 19] },
  { name: 'diners', from: 300, to: 305, lengths: [14, 16, 19] },
  { name: 'diners', from: 3095, to: 3095, lengths: [14, 16, 19] },
  { name: 'diners', from: 36, to: 36, lengths: [14] },
  { name: 'diners', from: 38, to: 39, lengths: [14, 16, 19] },
  { name: 'jcb', from: 3528, to: 3589, lengths: [16, 19] },
  { name: 'jcb', from: 1800, to: 1800, lengths: [15] },
  { name: 'jcb', from: 2131, to: 2131, lengths: [15] },
  { name: 'unionpay', from: 62, to: 62, lengths: [16, 17, 18, 19] },
  { name: 'mir', from: 2200, to: 2204, lengths: [16] },
  { name: 'rupay', from: 508, to: 508, lengths: [16] },
  { name: 'rupay', from: 81, to: 82, lengths: [16] },
  { name: 'maestro', from: 50, to: 50, lengths: [12, 13, 14, 15, 16, 17, 18, 19], needsContext: true },
  { name: 'maestro', from: 56, to: 69, lengths: [12, 13, 14, 15, 16, 17, 18, 19], needsContext: true },
];

/** The same ranges on four leading digits, so that one number is compared with all of them. */
const RANGES = ISSUERS.map((issuer) => {
  const scale = 10 ** (4 - String(issuer.from).length);
  return { ...issuer, from: issuer.from * scale, to: (issuer.to + 1) * scale - 1 };
});

/** Returns `yes`, `context` (only next to a word for cards) or `no`. */
export function cardVerdict(values: ArrayLike<number>, at: number, count: number): 'yes' | 'context' | 'no' {
  const lead = values[at]! * 1000 + values[at + 1]! * 100 + values[at + 2]! * 10 + values[at + 3]!;
  let found: 'context' | 'no' = 'no';
  for (const issuer of RANGES) {
    if (lead < issuer.from || lead > issuer.to || !issuer.lengths.includes(count)) continue;
    if (!passesLuhn(values, at, count) || isOneDigit(values, at, count)) return 'no';
    if (issuer.needsContext !== true) return 'yes';
    found = 'context';
  }
  return found;
}

/**
 * Returns the last group of a card number that begins with group `first` and ends with group `from` or a later one,
 * unseparated or in the printed grouping; -1 if there is none. `least`: whether ranges that require a word for cards
 * are included.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the groups of every number, which most leave early
export function cardEnd(groups: DigitGroups, first: number, from: number, least: 'yes' | 'context'): number {
  const size = groups.size(first);
  // Most numbers leave here: a card is unseparated, or its first group has four digits.
  if (size !== 4 && size < 12) return -1;
  let digits = 0;
  const gap = groups.gap(first + 1);
  const hasGap = gap === ' ' || gap === '-' || gap === '.';
  for (let last = first; last === first || (hasGap && groups.gap(last) === gap); last++) {
    digits += groups.size(last);
    if (digits > 19) break;
    if (digits < 12 || last < from) continue;
    // a gap after every fourth digit, or the 4-6-5 and 4-6-4 of Amex and Diners
    if (last > first && !isCardGrouping(groups, first, last)) continue;
    const verdict = cardVerdict(groups.values, groups.at[first]!, digits);
    if (verdict === 'yes' || verdict === least) return last;
  }
  return -1;
}

function isCardGrouping(groups: DigitGroups, first: number, last: number): boolean {
  if (groups.size(first) !== 4) return false;
  const tail = groups.size(last);
  if (last - first === 2) return groups.size(first + 1) === 6 && (tail === 5 || tail === 4);
  for (let i = first + 1; i < last; i++) if (groups.size(i) !== 4) return false;
  return tail <= 4;
}

function isOneDigit(values: ArrayLike<number>, at: number, count: number): boolean {
  for (let i = at + 1; i < at + count; i++) if (values[i] !== values[at]) return false;
  return true;
}
