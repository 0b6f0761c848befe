import { VALUE } from '../operating-points/values.ts';
import { matchAt } from '../read/match-at.ts';
import { CHAR_CLASS, classAt, HEX, isAlnum, isWordish } from './char-class.ts';
import { isAfterValue, isLineEscape } from './glue.ts';
import { isIpv4 } from './ip-address.ts';
import { beginsNumber } from './number-forms.ts';
import type { PiiSpan } from './spans.ts';

const MAX_ADDRESS = 45;
/** The maximum length including the zone. */
export const MAX_IPV6 = MAX_ADDRESS + 20;
const DOT = 46;
const NINE = 57;
const COLON = 58;
const UNDERSCORE = 95;

/** Returns the IPv6 address around the colon at `colon`, with `::` or all eight groups. `codes` are those of `text`. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the characters around every colon
export function ipv6At(text: string, codes: Uint16Array, colon: number, floor: number): PiiSpan | undefined {
  let start = colon;
  while (start > floor && start > colon - 4 && (classAt(text, start - 1) & HEX) !== 0) start--;
  const isGlued = isAlnum(text, start - 1) ? !isLineEscape(text, start - 1) : codes[start - 1] === UNDERSCORE;
  if (start > floor && isGlued && !isAfterValue(text, start, floor)) return undefined;
  let end = start;
  let colons = 0;
  let doubles = 0;
  let group = 0;
  /** The start of the last group, the first dot, and the first colon after a double one. */
  let groupStart = start;
  let dot = -1;
  let behind = -1;
  const limit = Math.min(text.length, start + MAX_ADDRESS);
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
    if (!isIpv6(text, codes, start, last) || isNoLoopback(text, start, last)) return undefined;
    return {
      start,
      end: zoneEnd(text, start, last),
      type: 'ip_address',
      rule: 'pii.ipv6',
      confidence: VALUE.ipv6,
    };
  };
  // Another value may follow directly, and its beginning may look like the end of this one.
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

const LOOPBACK = '::1';

/**
 * True for the step of a slice (`rows[::1]`, `x[:, ::1]`), which resembles an address in the brackets of a URL, and for
 * a part of a word.
 */
function isNoLoopback(text: string, start: number, end: number): boolean {
  if (end - start > LOOPBACK.length) return false;
  if (isWordish(text, start - 1) || text[start - 1] === ':' || /^\.\d/.test(text.slice(end, end + 2)))
    return true;
  const isOpened = text[start - 1] === '[';
  return isOpened ? /[\w)\]"']/.test(text[start - 2] ?? '') : /^\s{0,2}[\],]/.test(text.slice(end, end + 3));
}

/** A link-local address includes its interface (`fe80::1%eth0`, in URLs `%25eth0`; RFC 4007). */
const ZONE = /%(?:25)?[A-Za-z][\w.~-]{0,14}(?!\w)/y;
const LINK_LOCAL = /^fe[89ab]/i;

function zoneEnd(text: string, start: number, end: number): number {
  const zone = LINK_LOCAL.test(text.slice(start, start + 4)) ? matchAt(ZONE, text, end)?.[0] : undefined;
  return end + (zone?.replace(/[.-]+$/, '').length ?? 0);
}

const KNOWN_PREFIX = /^(?:fe80|f[cd][0-9a-f]{2}|ff0[0-9a-f]|2[0-9a-f]{3}|64|::ffff)/i;

/** True if `text[start, end)`, of hexadecimal digits, colons and dots, is an address (RFC 4291, section 2.2). */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass without strings, for every candidate of a text
function isIpv6(text: string, codes: Uint16Array, start: number, end: number): boolean {
  let width = 0;
  let longest = 0;
  let double = -1;
  let hasDigit = false;
  let hasIpv4 = false;
  for (let at = start; at < end; ) {
    if (codes[at] === COLON) {
      // a single colon separates two groups, and a double one may be at either end
      const isDouble = codes[at + 1] === COLON && at + 1 < end;
      if (isDouble ? double >= 0 : at === start || at + 1 === end) return false;
      if (isDouble) double = at;
      at += isDouble ? 2 : 1;
      if (codes[at] === COLON && at < end) return false;
      continue;
    }
    const first = at;
    for (; at < end && codes[at] !== COLON && codes[at] !== DOT; at++)
      if (codes[at]! <= NINE) hasDigit = true;
    if (at < end && codes[at] === DOT) {
      while (at < end && codes[at] !== COLON) at++;
      if (!isIpv4(text.slice(first, at))) return false;
      // nothing may follow but a double colon
      const isLast = at === end || (at === end - 2 && codes[at + 1] === COLON);
      if (!isLast) return false;
      hasIpv4 = true;
      width += 2;
      continue;
    }
    if (at - first > 4) return false;
    longest = Math.max(longest, at - first);
    width++;
  }
  // Eight pairs of digits are the serial number of a certificate, or a longer hardware address.
  if (double < 0) return width === 8 && (hasIpv4 || longest > 2);
  if (end - start === LOOPBACK.length && text.startsWith(LOOPBACK, start)) return true;
  // `a::b` is code far more often than an address
  return width < 8 && hasDigit && (width >= 3 || KNOWN_PREFIX.test(text.slice(start, start + 6)));
}
