import { matchAt } from '../read/match-at.ts';
import { LOOKALIKE } from './tables.ts';

export const CYRILLIC_OR_GREEK = 1;
export const LATIN = 2;

/** Returns which of the two a letter belongs to; 0 for everything else. */
export function scriptOf(code: number): number {
  if (code < 128) return (code | 32) >= 97 && (code | 32) <= 122 ? LATIN : 0;
  if (code >= 0x370 && code < 0x590) return CYRILLIC_OR_GREEK;
  return code >= 0xc0 && code < 0x250 ? LATIN : 0;
}

/**
 * Replaces letters that look Latin in words that mix scripts; lengths stay the same. A word with a letter that does not
 * look Latin is a foreign word with a unit or a variable in it, and stays unchanged.
 */
export function foldWords(text: string): { text: string; words: number } {
  let out = '';
  let kept = 0;
  let words = 0;
  let start = -1;
  let scripts = 0;
  for (let i = 0; i <= text.length; i++) {
    const script = i < text.length ? scriptOf(text.charCodeAt(i)) : 0;
    if (script !== 0) {
      if (start < 0) start = i;
      scripts |= script;
      continue;
    }
    if (scripts === (LATIN | CYRILLIC_OR_GREEK)) {
      const folded = foldWord(text, start, i);
      if (folded !== undefined) {
        out += text.slice(kept, start) + folded;
        kept = i;
        words++;
      }
    }
    start = -1;
    scripts = 0;
  }
  return { text: out + text.slice(kept), words };
}

/** Replaces every letter that looks Latin, in any word, as a person would read it. */
export function foldLookAlikes(text: string): string {
  let out = '';
  for (let i = 0; i < text.length; i++) {
    const alike = LOOKALIKE[text.charCodeAt(i)] ?? 0;
    out += alike === 0 ? text[i] : String.fromCharCode(alike);
  }
  return out;
}

/** The letters at the beginning of a word that end a code before it: `\\n`, `%AD`, `=2C`. */
const END_OF_CODE = /(?<=\\)[nrt]|(?<=[%=])[a-f]{2}|(?<=[%=]\d)[a-f]/iy;

function foldWord(text: string, start: number, end: number): string | undefined {
  const first = start + (matchAt(END_OF_CODE, text, start)?.[0].length ?? 0);
  let out = text.slice(start, first);
  let scripts = 0;
  for (let i = first; i < end; i++) {
    const code = text.charCodeAt(i);
    scripts |= scriptOf(code);
    if (code < 0x370 || code >= 0x600) {
      out += text[i];
      continue;
    }
    const alike = LOOKALIKE[code]!;
    if (alike === 0) return undefined;
    out += String.fromCharCode(alike);
  }
  return scripts === (LATIN | CYRILLIC_OR_GREEK) ? out : undefined;
}
