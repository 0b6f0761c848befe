import type { Text } from './codes.ts';
import { cutWords } from './cut-words.ts';
import { nameWords } from './name-words.ts';
import type { TokenizedText } from './tokenized-text.ts';

/** Fills `out` from `text[from, to)`, at most MAX_PIECE units of UTF-16. The skeleton is built only with `frames`. */
export function readText(text: Text, from: number, to: number, out: TokenizedText, frames: boolean): void {
  cutWords(text, from, to, out);
  nameWords(out, frames);
}
