import { CHAR_CLASS, classAt, DIGIT, isWordish, LETTER, LOCAL_EXTRA } from './char-class.ts';
import type { PiiSpan } from './spans.ts';

const MAX_LOCAL = 64;
const MAX_DOMAIN = 253;
/** So far before an address the scheme of its URL is looked for. */
const MAX_SCHEME = 80;
/** Ends of file names that look like a top-level domain, as in `icon@2x.png`. */
const FILE_ENDINGS = new Set(
  'png jpg jpeg gif svg webp ico css js mjs ts tsx jsx json map html xml yml yaml toml lock txt md py rb go java'.split(
    ' ',
  ),
);

/** The address around the `@` at `at`, by RFC 5321 limits; quoted local parts too. Nothing when there is none. */
export function emailAt(text: string, at: number, floor: number): PiiSpan | undefined {
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
    // what may stand in an address by the letter, but around one in real texts
    while (start < at && (classAt(text, start) & (DIGIT | LETTER)) === 0 && !isWordish(text, start)) start++;
    // key=value, path/value: the address is what comes last; o'neil is a name
    for (let i = at - 1; i > start; i--) {
      const code = text.charCodeAt(i);
      if (code === 61 || code === 47 || code === 124 || code === 38 || code === 63) {
        start = i + 1;
        break;
      }
    }
    if (start >= at || text.charCodeAt(at - 1) === 46) return undefined;
  }
  const end = domainEnd(text, at + 1);
  if (end < 0) return undefined;
  if (text.slice(start, at) === 'git') return undefined;
  // user:password@host belongs to the secrets
  if (
    text.charCodeAt(start - 1) === 58 &&
    /:\/\/[^\s/?#]*$/.test(text.slice(Math.max(0, start - MAX_SCHEME), start))
  )
    return undefined;
  return { start, end, type: 'email', rule: 'pii.email', confidence: 0.98 };
}

function domainEnd(text: string, from: number): number {
  let index = from;
  let labelStart = from;
  let lastDot = -1;
  const limit = Math.min(text.length, from + MAX_DOMAIN);
  while (index < limit) {
    const code = text.charCodeAt(index);
    if (code === 46) {
      if (index === labelStart || !isWordish(text, index + 1)) break;
      lastDot = index;
      labelStart = index + 1;
    } else if (code === 45) {
      if (index === labelStart) break;
    } else if (code === 95 || !isWordish(text, index)) break;
    index++;
  }
  while (index > from && text.charCodeAt(index - 1) === 45) index--;
  if (lastDot < 0) return -1;
  let top = text.slice(lastDot + 1, index).toLowerCase();
  // a sentence that runs on after the address: "…@example.com.Please"
  if (top.length > 3 && /^[A-Z][a-z]+$/.test(text.slice(lastDot + 1, index))) {
    const before = text.lastIndexOf('.', lastDot - 1);
    if (before >= from) {
      index = lastDot;
      top = text.slice(before + 1, index).toLowerCase();
    }
  }
  if (top.length < 2 || FILE_ENDINGS.has(top)) return -1;
  if (!/^(?:xn--[a-z0-9-]+|[^\d\s_-]{2,24}|c0m|0rg|n3t|3du|g0v)$/.test(top)) return -1;
  return index;
}
