import { OffsetMap } from '../normalize/offset-map.ts';

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(.))/gs;
const SHORT: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** Returns the value of a string literal, and the offsets of its characters in the literal; absent: the same ones. */
export function unescaped(literal: string): { readonly text: string; readonly offsets?: OffsetMap } {
  if (!literal.includes('\\')) return { text: literal };
  const offsets = new OffsetMap();
  let text = '';
  let at = 0;
  for (const { 0: written, 1: code, 2: sign = '', index } of literal.matchAll(ESCAPE)) {
    offsets.add(text.length, at, true);
    text += literal.slice(at, index);
    offsets.add(text.length, index, false);
    text += code === undefined ? (SHORT[sign] ?? sign) : String.fromCharCode(Number.parseInt(code, 16));
    at = index + written.length;
  }
  offsets.add(text.length, at, true);
  return { text: text + literal.slice(at), offsets };
}
