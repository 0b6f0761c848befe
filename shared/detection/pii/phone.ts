import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { VALUE } from '../operating-points/values.ts';
import { isAlnum, isWordish } from './char-class.ts';
import { after, PHONE_AFTER, PHONE_BEFORE, THING_BEFORE } from './context.ts';
import { cardEnd } from './credit-card.ts';
import type { DigitGroups } from './digit-groups.ts';
import { isAfterValue, isLineEscape } from './glue.ts';
import { formEnd, isUniform, northAmericanEnd } from './number-forms.ts';
import type { Walk } from './recognizer.ts';
import type { PiiSpan } from './spans.ts';

const MAX_PHONE_GROUPS = 6;
const MAX_PLUS_GROUPS = 9;
const MIN_DIGITS = 7;
const MAX_DIGITS = 15;

type PhoneBudget = Pick<Walk, 'phoneValidations'>;

/** Returns the phone number that the groups begin with. `lead`: the text before them. */
export function phoneFrom(
  text: string,
  groups: DigitGroups,
  lead: string,
  floor: number,
  budget: PhoneBudget,
): PiiSpan | undefined {
  const span = readPhone(text, groups, lead, floor, budget);
  return span === undefined || isInDoi(text, span.start) ? undefined : span;
}

const DOI = /\b10\.\d{4,9}\/\S{0,40}$/;
const DOI_REACH = 64;

/** `10.1000//0033-2909.126.1`: parts of the identifier of a publication. */
function isInDoi(text: string, start: number): boolean {
  return DOI.test(text.slice(Math.max(0, start - DOI_REACH), start));
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: runs for every number of a text, with early exits
function readPhone(
  text: string,
  groups: DigitGroups,
  lead: string,
  floor: number,
  budget: PhoneBudget,
): PiiSpan | undefined {
  let start = groups.start[0]!;
  let plus = false;
  let bracket = false;
  if (start > floor && text.charCodeAt(start - 1) === 43) {
    start--;
    plus = true;
    // (+49) 30 …: the bracket is part of the number; in (+49 30 …) it encloses the number
    if (start > floor && text.charCodeAt(start - 1) === 40 && groups.gap(1).startsWith(')')) start--;
  } else if (start > floor && text.charCodeAt(start - 1) === 40 && groups.gap(1).startsWith(')')) {
    start--;
    bracket = true;
    const isCall = isWordish(text, start - 1) && !isLineEscape(text, start - 1);
    if (isCall && !isAfterValue(text, start, floor)) return undefined;
  }
  const last = phoneEnd(groups, plus, bracket);
  if (last < 0 || last >= (plus ? MAX_PLUS_GROUPS : MAX_PHONE_GROUPS)) return undefined;
  const digits = groups.at[last]! + groups.size(last);
  if (digits < MIN_DIGITS || digits > MAX_DIGITS) return undefined;
  const end = groups.end[last]!;
  const tail = extensionEnd(text, end);
  if (tail === end && isAlnum(text, end)) return undefined;
  const found = (confidence: number): PiiSpan => ({
    start,
    end: tail,
    type: 'phone',
    rule: 'pii.phone',
    confidence,
  });
  const isNamed = () => PHONE_BEFORE.test(lead) || PHONE_AFTER.test(after(text, tail));
  if (plus) {
    if (budget.phoneValidations-- > 0) {
      const parsed = parsePhoneNumberFromString(`+${groups.join(0, last)}`);
      return parsed?.isPossible() === true || isNamed() ? found(VALUE.phonePossible) : undefined;
    }
    return digits >= 9 ? found(VALUE.phoneLong) : undefined;
  }
  const isDate = isDateLike(text, groups, last);
  if (isDate && (last < 3 || text.charCodeAt(end) === COLON)) return undefined;
  if (bracket && isBracketed(groups, last, digits)) return found(VALUE.phoneBracketed);
  const named = isNamed();
  // A date followed by a time, unless words name it as a phone number.
  if (isDate && !named) return undefined;
  if (!named && THING_BEFORE.test(lead)) return undefined;
  if (isVersion(groups, last) || (last === 0 && OPERATOR.test(text.slice(end, end + 4)))) return undefined;
  if (northAmericanEnd(groups, 0) === last && (named || isUniform(groups, 0, last)))
    return found(named ? VALUE.phoneNamed : VALUE.phoneOfForm);
  if (tail > end && digits >= 10) return found(VALUE.phoneWithTail);
  if (last > 1 && digits >= 10 && hasCountryCode(groups, last)) return found(VALUE.phoneWithCountry);
  if (!named) return undefined;
  if (last === 0) return digits >= 8 && digits <= 12 ? found(VALUE.phoneJoined) : undefined;
  for (let i = 0; i <= last; i++) if (groups.size(i) > (i === 0 ? 5 : 8)) return undefined;
  return found(VALUE.phoneInGroups);
}

/** True for 0049 30 …, 00 49 30 …: a country code has at most three digits. */
function hasCountryCode(groups: DigitGroups, last: number): boolean {
  if (groups.size(0) < 2 || !/^00[1-9]/.test(groups.join(0, last))) return false;
  return groups.size(0) > 2 || groups.size(1) < 4;
}

/** `152399025 * 6`: an operand of arithmetic. */
const OPERATOR = /^ ?[*×÷^%] ?\d|^ \/ \d/;
const COLON = 58;

/** True for versions such as `11.0.5510`: the parts of a phone number have at least two digits. */
function isVersion(groups: DigitGroups, last: number): boolean {
  if (last !== 2 || groups.gap(1) !== '.' || groups.gap(2) !== '.') return false;
  return groups.size(0) === 1 || groups.size(1) === 1;
}

/**
 * True for `(030) 1234`, `(2225) 56 78 90`; `(60176) 39` and `(2002) 1157` are a postal code and a year before a
 * number.
 */
function isBracketed(groups: DigitGroups, last: number, digits: number): boolean {
  const first = groups.join(0, 0);
  if (!first.startsWith('0') && (digits < 8 || (last === 1 && YEAR.test(first)))) return false;
  for (let i = 0; i <= last; i++) if (groups.size(i) < 2 || groups.size(i) > 5) return false;
  return true;
}

const YEAR = /^(?:19|20)\d\d$/;

/** Returns the last group that may belong to the number; -1 if a card number begins before that. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the groups of every number
function phoneEnd(groups: DigitGroups, plus: boolean, bracket: boolean): number {
  const american = northAmericanEnd(groups, 0);
  let last = 0;
  let digits = groups.size(0);
  while (isPhoneGap(groups.gap(last + 1), last)) {
    const next = last + 1;
    if (digits + groups.size(next) > MAX_DIGITS) break;
    if (digits >= MIN_DIGITS) {
      // another value begins, or a complete number is followed by a different separator
      if (groups.gap(next).includes('(') || formEnd(groups, next) !== -1) break;
      if (
        last === american &&
        (bracket || isUniform(groups, 0, last)) &&
        groups.gap(next) !== groups.gap(last)
      )
        break;
    } else if (!plus && formEnd(groups, 0) === -1 && cardEnd(groups, next, next, 'yes') !== -1) return -1;
    digits += groups.size(next);
    last = next;
  }
  return last;
}

function isPhoneGap(gap: string, index: number): boolean {
  if (gap.length === 1) return gap !== '(' && gap !== ')' ? true : index <= 1;
  return gap === ') ' || gap === ' (' || gap === ')-' || gap === '-(' || gap === ').';
}

function isDateLike(text: string, groups: DigitGroups, last: number): boolean {
  const written = text.slice(groups.start[0]!, groups.end[Math.min(last, 2)]!);
  return /^(?:(?:19|20)\d\d[-/. ](?:0?[1-9]|1[0-2])[-/. ](?:0?[1-9]|[12]\d|3[01])|(?:0?[1-9]|[12]\d|3[01])[-/.](?:0?[1-9]|[12]\d|3[01])[-/.](?:19|20)?\d\d)$/.test(
    written,
  );
}

/** Returns the end of an extension such as `x123` or `ext. 5`, or `end`. */
function extensionEnd(text: string, end: number): number {
  const code = text.charCodeAt(end);
  if (code !== 32 && code !== 35 && (code | 32) !== 120 && (code | 32) !== 101 && !isSpace(code)) return end;
  const match = /^(?:\s?(?:x|ext\.?|extension|#)\s?\d{1,6})(?!\w|[-.]\d| \d{3})/i.exec(
    text.slice(end, end + 18),
  );
  return match === null ? end : end + match[0].length;
}

function isSpace(code: number): boolean {
  return (code >= 9 && code <= 13) || code >= 0xa0;
}
