import { VALUE } from '../operating-points/values.ts';
import { isAlnum } from './char-class.ts';
import { CARD_BEFORE, leadOf, THING_BEFORE } from './context.ts';
import { cardVerdict } from './credit-card.ts';
import type { PiiSpan } from './spans.ts';

const MAX_DIGITS = 19;
const MAX_GAP = 3;
const MAX_SPAN = 80;

/**
 * Returns a card number in groups of four, or digit by digit, with any separators of up to three characters:
 * `4111/1111/…`, `4111 1111`, one group a line. Columns of numbers look the same, so a word for cards is required,
 * unless all separators are equal and on one line.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the numbers of a text, backing up where a card may begin
export function splitCardFrom(
  text: string,
  codes: Uint16Array,
  at: number,
  firstEnd: number,
): PiiSpan | undefined {
  const size = firstEnd - at;
  // Most numbers leave here, before anything is read.
  if ((size !== 4 && size !== 1) || !goesOn(codes, firstEnd)) return undefined;
  const values: number[] = [];
  let count = 0;
  let group = 0;
  let allOnes = true;
  let gapStart = -1;
  let firstGap = '';
  let alike = true;
  let end = at;
  for (let i = at; i < at + MAX_SPAN; i++) {
    const code = codes[i]!;
    if (isDigit(code)) {
      if (gapStart !== -1) {
        if (i - gapStart > MAX_GAP || (group !== 4 && group !== 1)) break;
        if (group !== 1) allOnes = false;
        const gap = text.slice(gapStart, i);
        if (firstGap === '') firstGap = gap;
        else if (gap !== firstGap) alike = false;
        group = 0;
        gapStart = -1;
      }
      if (count === MAX_DIGITS) return undefined;
      values[count++] = code - 48;
      group++;
      end = i + 1;
    } else if (isSeparator(code)) {
      if (gapStart === -1) gapStart = i;
    } else break;
  }
  if (group > (allOnes ? 1 : 4) || isAlnum(text, end)) return undefined;
  if (cardVerdict(values, 0, count) !== 'yes') return undefined;
  const lead = leadOf(text, codes, at);
  const named = CARD_BEFORE.test(lead);
  // The whole text is the number, so it is not a column of numbers.
  const alone = text.slice(0, at).trim() === '' && text.slice(end).trim() === '';
  if (!named && !alone && (allOnes || !alike || /[\n\r\t,:;]/.test(firstGap) || THING_BEFORE.test(lead)))
    return undefined;
  return {
    start: at,
    end,
    type: 'credit_card',
    rule: 'pii.credit-card',
    confidence: named ? VALUE.cardSplitNamed : VALUE.cardSplit,
  };
}

/** True if digits follow a short gap. */
function goesOn(codes: Uint16Array, end: number): boolean {
  for (let i = end; i <= end + MAX_GAP; i++) {
    if (isDigit(codes[i]!)) return i > end;
    if (!isSeparator(codes[i]!)) return false;
  }
  return false;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** True for spaces, line ends and marks, but not letters. */
function isSeparator(code: number): boolean {
  if (code < 128)
    return code !== 0 && !isDigit(code) && !((code | 32) >= 97 && (code | 32) <= 122) && code !== 64;
  return code === 0xa0 || code === 0xb7 || (code >= 0x2000 && code <= 0x202f);
}
