import { VALUE } from '../operating-points/values.ts';
import { CHAR_CLASS, classAt, DIGIT, isWordish, LETTER, LOCAL_EXTRA } from './char-class.ts';
import { isLineEscape } from './glue.ts';
import type { PiiSpan } from './spans.ts';

export const MAX_LOCAL = 64;
export const MAX_DOMAIN = 253;
const DOT = 46;
const HYPHEN = 45;
const AT = 64;
/** How far before an address the scheme of its URL is searched. */
const MAX_SCHEME = 80;
/** Endings of files and of systemd units that look like a top-level domain, as in `icon@2x.png`, `getty@tty1.service`. */
const FILE_ENDINGS = new Set(
  `png jpg jpeg gif svg webp avif bmp tiff ico css scss sass less js mjs cjs ts tsx jsx vue svelte json map html xml yml
  yaml toml ini conf cfg lock log csv txt pdf md py rb go java kt php cpp hpp swift lua sql proto wasm woff woff2 ttf otf
  mp4 webm jar whl tgz service socket target timer mount automount swap slice scope device netdev nspawn path`.split(
    /\s+/,
  ),
);

/**
 * Returns the address around the `@` at `at`, by RFC 5321 limits, also with a quoted local part; undefined if there is
 * none. It is between `floor` and `ceiling`, the limits of neighboring values.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the characters around every @
export function emailAt(text: string, at: number, floor: number, ceiling: number): PiiSpan | undefined {
  // `{user}@host`: a placeholder for a name
  if (text.charCodeAt(at - 1) === 125) return undefined;
  let start = at;
  const lowest = Math.max(floor, at - MAX_LOCAL);
  if (text.charCodeAt(at - 1) === 34 /* " */) {
    const open = text.lastIndexOf('"', at - 2);
    if (open < lowest || open >= at - 2) return undefined;
    start = open;
  } else {
    while (start > lowest) {
      const code = text.charCodeAt(start - 1);
      const inLocal =
        code < 128 ? (CHAR_CLASS[code]! & (DIGIT | LETTER | LOCAL_EXTRA)) !== 0 : isWordish(text, start - 1);
      if (!inLocal) break;
      start--;
    }
    // Skips characters that the RFC allows in an address, but that in real texts surround one.
    while (start < at && (classAt(text, start) & (DIGIT | LETTER)) === 0 && !isWordish(text, start)) start++;
    if (isLineEscape(text, start)) start++;
    // key=value, path/value: the address is the last part; o'neil is a name
    for (let i = at - 1; i > start; i--) {
      const code = text.charCodeAt(i);
      if (code === 61 || code === 47 || code === 124 || code === 38 || code === 63) {
        start = i + 1;
        break;
      }
    }
    if (start >= at || text.charCodeAt(at - 1) === 46) return undefined;
  }
  const end = domainEnd(text, at + 1, ceiling);
  if (end < 0) return undefined;
  if (text.slice(start, at) === 'git') return undefined;
  // user:password@host is handled by the secrets
  if (
    text.charCodeAt(start - 1) === 58 &&
    /:\/\/[^\s/?#]*$/.test(text.slice(Math.max(0, start - MAX_SCHEME), start))
  )
    return undefined;
  return { start, end, type: 'email', rule: 'pii.email', confidence: VALUE.email };
}

/** Returns the end of the host that begins at `from`, before `ceiling`; -1 if there is none. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the characters after every @
function domainEnd(text: string, from: number, ceiling: number): number {
  const dots: number[] = [];
  let labelStart = from;
  let index = from;
  const limit = Math.min(ceiling, from + MAX_DOMAIN);
  for (; index < limit; index++) {
    const code = text.charCodeAt(index);
    if (code === DOT) {
      if (index === labelStart || index + 1 >= limit || !isWordish(text, index + 1)) break;
      dots.push(index);
      labelStart = index + 1;
    } else if (code === HYPHEN) {
      if (index === labelStart) break;
    } else if (code === 95 || !isWordish(text, index)) break;
  }
  index = foreignEnd(text, labelStart, index);
  // the next address begins with the apparent end of this one
  if (index < ceiling && text.charCodeAt(index) === AT && dots.length > 1) index = dots.pop()!;
  for (let last = dots.length - 1; last >= 0; last--) {
    const start = dots[last]! + 1;
    const end = topEnd(text, start, index);
    if (end < 0) return -1;
    const top = text.slice(start, end);
    // a sentence directly after the address: "…@example.com.Please"
    if (last > 0 && top.length > 3 && /^[A-Z][a-z]+$/.test(top)) {
      index = dots[last]!;
      continue;
    }
    if (top.length >= 2 && !FILE_ENDINGS.has(top.toLowerCase()) && TOP_LEVEL.test(top)) return end;
    // a value directly after it: "…@example.com.219-09-9999"
    if (!(classAt(text, start) & DIGIT)) return -1;
    index = dots[last]!;
  }
  return -1;
}

/** Returns the end of a label's ASCII part: no top-level domain mixes scripts. */
function foreignEnd(text: string, start: number, end: number): number {
  if (text.charCodeAt(start) > 127) return end;
  let at = start;
  while (at < end && text.charCodeAt(at) < 128) at++;
  return at;
}

const TOP_LEVEL = /^(?:xn--[a-z0-9-]+|[^\d\s_-]{2,24}|c0m|0rg|n3t|3du|g0v)$/i;

/** Returns the possible end of a top-level domain that begins at `start`: only an encoded one contains a hyphen. */
function topEnd(text: string, start: number, limit: number): number {
  let end = start;
  if (/^xn--/i.test(text.slice(start, start + 4))) end = limit;
  else while (end < limit && text.charCodeAt(end) !== HYPHEN) end++;
  while (end > start && text.charCodeAt(end - 1) === HYPHEN) end--;
  return end > start ? end : -1;
}
