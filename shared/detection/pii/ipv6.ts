import { CHAR_CLASS, classAt, HEX, isAlnum } from './char-class.ts';
import { isBehindValue, isLineEscape } from './glue.ts';
import { isIpv4 } from './ip-address.ts';
import { beginsNumber } from './number-forms.ts';
import type { PiiSpan } from './spans.ts';

export const MAX_IPV6 = 45;
const DOT = 46;
const COLON = 58;
const UNDERSCORE = 95;

/** The IPv6 address around the colon at `colon`, with `::` or all eight groups. `codes` are those of `text`. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the characters around every colon
export function ipv6At(text: string, codes: Uint16Array, colon: number, floor: number): PiiSpan | undefined {
  let start = colon;
  while (start > floor && start > colon - 4 && (classAt(text, start - 1) & HEX) !== 0) start--;
  const isGlued = isAlnum(text, start - 1) ? !isLineEscape(text, start - 1) : codes[start - 1] === UNDERSCORE;
  if (start > floor && isGlued && !isBehindValue(text, start, floor)) return undefined;
  let end = start;
  let colons = 0;
  let doubles = 0;
  let group = 0;
  /** Where the last group begins, where the first dot stands, and the first colon behind a double one. */
  let groupStart = start;
  let dot = -1;
  let behind = -1;
  const limit = Math.min(text.length, start + MAX_IPV6);
  for (; end < limit; end++) {
    const code = codes[end]!;
    if (code === COLON) {
      colons++;
      if (doubles === 1 && behind < 0 && codes[end - 1] !== COLON) behind = end;
      if (codes[end + 1] === COLON) doubles++;
      group = 0;
      if (dot < 0) groupStart = end + 1;
    } else if (code === DOT) {
      if (dot < 0) dot = end;
      group = 0;
    } else if (code > 127 || (CHAR_CLASS[code]! & HEX) === 0) break;
    else group++;
    if (group > 4 || doubles > 1) break;
    if (colons > 8) return undefined;
  }
  if (colons < 2 || (doubles === 0 && colons < 6)) return undefined;
  const found = (until: number): PiiSpan | undefined => {
    let last = until;
    while (
      last > start &&
      (codes[last - 1] === DOT || (codes[last - 1] === COLON && codes[last - 2] !== COLON))
    )
      last--;
    return isIpv6(text.slice(start, last))
      ? { start, end: last, type: 'ip_address', rule: 'pii.ipv6', confidence: 0.95 }
      : undefined;
  };
  // another value may follow, and begin with what could be the end of this one
  if (doubles > 1) return dot > 0 ? found(dot) : behind > 0 ? found(behind) : undefined;
  const isWhole = group <= 4 && !isAlnum(text, end);
  return (
    (isWhole && dot > 0 ? found(end) : undefined) ??
    (beginsNumber(text, groupStart) ? found(groupStart) : undefined) ??
    (isWhole ? found(end) : undefined) ??
    (dot > 0 ? found(dot) : undefined) ??
    found(groupStart)
  );
}

const KNOWN_PREFIX = /^(?:fe80|f[cd][0-9a-f]{2}|ff0[0-9a-f]|2[0-9a-f]{3}|64|::ffff)/i;

function isIpv6(candidate: string): boolean {
  const halves = candidate.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const hasIpv4 = groups.at(-1)?.includes('.') === true;
  if (hasIpv4 && !isIpv4(groups.pop()!)) return false;
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return false;
  const width = groups.length + (hasIpv4 ? 2 : 0);
  const hasDigit = hasIpv4 || groups.some((group) => /\d/.test(group));
  // eight pairs of digits are the serial of a certificate, or a longer hardware address
  if (halves.length === 1) return width === 8 && (hasIpv4 || groups.some((group) => group.length > 2));
  // `a::b` is code far more often than an address
  return width < 8 && hasDigit && (width >= 3 || KNOWN_PREFIX.test(candidate));
}
