import { CHAR_CLASS, classAt, HEX, isAlnum } from './char-class.ts';
import type { PiiSpan } from './spans.ts';

const MAX_IPV6 = 45;
const DOT = 46;
const COLON = 58;
const UNDERSCORE = 95;

/** The IPv6 address around the colon at `colon`, with `::` or all eight groups. `codes` are those of `text`. */
export function ipv6At(text: string, codes: Uint16Array, colon: number, floor: number): PiiSpan | undefined {
  let start = colon;
  while (start > floor && start > colon - 4 && (classAt(text, start - 1) & HEX) !== 0) start--;
  if (start > 0 && (isAlnum(text, start - 1) || codes[start - 1] === UNDERSCORE)) return undefined;
  let end = start;
  let colons = 0;
  let doubles = 0;
  let group = 0;
  const limit = Math.min(text.length, start + MAX_IPV6);
  for (; end < limit; end++) {
    const code = codes[end]!;
    if (code === COLON) {
      colons++;
      if (codes[end + 1] === COLON) doubles++;
      group = 0;
    } else if (code === DOT) group = 0;
    else if (code > 127 || (CHAR_CLASS[code]! & HEX) === 0) break;
    else group++;
    if (group > 4 || colons > 8 || doubles > 1) return undefined;
  }
  if (colons < 2 || (doubles === 0 && colons < 6)) return undefined;
  while (end > start && (codes[end - 1] === DOT || (codes[end - 1] === COLON && codes[end - 2] !== COLON)))
    end--;
  if (isAlnum(text, end) || codes[end] === COLON) return undefined;
  if (!isIpv6(text.slice(start, end))) return undefined;
  return { start, end, type: 'ip_address', rule: 'pii.ipv6', confidence: 0.95 };
}

function isIpv6(candidate: string): boolean {
  const halves = candidate.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  let width = 0;
  let digits = 0;
  for (const [index, group] of groups.entries()) {
    if (group.includes('.')) {
      if (index !== groups.length - 1 || !isIpv4(group)) return false;
      width += 2;
      digits++;
      continue;
    }
    if (!/^[0-9a-f]{1,4}$/i.test(group)) return false;
    width++;
    if (/\d/.test(group)) digits++;
  }
  // eight pairs of digits are the serial of a certificate, or a longer hardware address
  if (halves.length === 1) return width === 8 && groups.some((group) => group.length > 2);
  // `a::b` is code far more often than an address
  return (
    width < 8 &&
    digits > 0 &&
    (width >= 3 || /^(?:fe80|f[cd][0-9a-f]{2}|ff0[0-9a-f]|2[0-9a-f]{3}|64|::ffff)/i.test(candidate))
  );
}

export function isIpv4(candidate: string): boolean {
  const parts = candidate.split('.');
  return (
    parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
  );
}

const VERSION_BEFORE =
  /(?:\bv|ver(?:sion|\.)?|release|build|firmware|revision|rev|chapter|section|§|oid|\bgo|php|python|node|java|nginx|chrome|safari|edg|opr|firefox|mozilla|webkit|gecko|assembly\w*)\s*[:=/"'-]{0,3}\s*(?:is\s+|number\s+|to\s+|from\s+)?["']?$/i;

/** Four numbers and dots that are a version, a section or an object identifier. */
export function isVersionContext(before: string): boolean {
  return VERSION_BEFORE.test(before);
}

/** Nobody's address in particular: private, loopback, link-local, documentation, unspecified (RFC 6890). */
export function isSpecialIp(address: string): boolean {
  if (address.includes(':')) return /^(?:::|fe[89ab]|f[cd]|2001:db8|ff)/i.test(address);
  const [a = 0, b = 0, c = 0] = address.split('.').map(Number);
  return (
    a === 10 ||
    a === 127 ||
    a === 0 ||
    a >= 224 ||
    (a === 192 && b === 168) ||
    (a === 172 && b >= 16 && b <= 31) ||
    (a === 169 && b === 254) ||
    (a === 100 && b >= 64 && b <= 127) ||
    (a === 192 && b === 0 && (c === 0 || c === 2)) ||
    (a === 198 && (b === 18 || b === 19 || (b === 51 && c === 100))) ||
    (a === 203 && b === 0 && c === 113)
  );
}
