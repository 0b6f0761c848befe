import type { Span } from '../../text/index.ts';
import type { Text } from '../read/codes.ts';
import { emailAt } from './email.ts';
import { ipv6At } from './ipv6.ts';
import { type NumberState, readNumber } from './number.ts';
import type { PiiSpan } from './spans.ts';
import { isBracketedMark, speltEmails } from './spelt-email.ts';

/** The phone library costs some microseconds a number: a page of digits must not cost a second. */
const MAX_PHONE_VALIDATIONS = 200;

const BLANK = 32;
const DIGIT = 1;
const AT = 2;
const COLON = 3;
const BRACKET = 4;
/** What a code may begin or be in the middle of. */
const HINTS = new Uint8Array(65_536);
HINTS.fill(DIGIT, 48, 58);
HINTS[64] = AT;
HINTS[58] = COLON;
for (const bracket of '[({<') HINTS[bracket.charCodeAt(0)] = BRACKET;
/** Lower-case codes that a mark in brackets begins with: at, dot, @, a dot, or a word of another language. */
const MARKS = new Set([...'ad@.pcäтс'].map((sign) => sign.charCodeAt(0)));

/**
 * Personal data in `text`, keys and secrets apart. One walk over the characters. A number may lie inside an address.
 * `isSpelled`: something in it tells of addresses that are spelt out. `keys`: what is known to be a key, in order and
 * apart; nothing is looked for in it, and every other value ends before it or begins behind it.
 */
export function findPii(
  { string: text, codes }: Text,
  isSpelt: boolean,
  keys: readonly Span[] = [],
): PiiSpan[] {
  const spans: PiiSpan[] = [];
  const state: NumberState = { phoneValidations: MAX_PHONE_VALIDATIONS };
  const { length } = text;
  const hints = HINTS;
  let floor = 0;
  let hinted = isSpelt;
  let key = 0;
  let keyStart = keys.length === 0 ? length : keys[0]!.start;
  for (let i = 0; i < length; i++) {
    while (i < length && hints[codes[i]!] === 0) i++;
    if (i >= keyStart && i < length) {
      const { end } = keys[key++]!;
      keyStart = keys[key]?.start ?? length;
      floor = Math.max(floor, end);
      i = Math.max(i, end) - 1;
      continue;
    }
    const kind = hints[codes[i]!];
    if (kind === DIGIT) {
      const { span, next } = readNumber(text, codes, i, floor, state);
      if (span !== undefined) {
        spans.push(span);
        floor = next;
      }
      i = next - 1;
    } else if (kind === AT) {
      const email = emailAt(text, i, floor, keyStart);
      if (email === undefined) {
        hinted ||= codes[i + 1] === BLANK;
        continue;
      }
      spans.push(email);
      floor = email.end;
      i = email.end - 1;
    } else if (kind === COLON) {
      const address = ipv6At(text, codes, i, floor);
      if (address === undefined) continue;
      spans.push(address);
      floor = address.end;
      i = address.end - 1;
    } else if (kind === BRACKET && !hinted) {
      const inside = codes[i + 1] === BLANK ? codes[i + 2]! : codes[i + 1]!;
      hinted = MARKS.has(inside | 32) || MARKS.has(inside) ? isBracketedMark(text, i) : false;
    }
  }
  return hinted ? [...spans, ...speltEmails(text)] : spans;
}
