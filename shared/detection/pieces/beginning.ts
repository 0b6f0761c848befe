import { PlainWords } from './plain-words.ts';

/** Signs alone that end words, and blanks. */
export const NO_WORD = /^[\s.,:;!?)]{0,12}$/;
const LETTERS = /^["'“‘(*`]{0,3}\p{L}{2,}[^\p{N}]*$/u;
const WORDS = 2;

/**
 * How a text begins. `plain`: with words that are no part of a value, a key or an address, whatever stands before them.
 * `open`: its first words have not ended.
 */
export function beginning(text: string): 'plain' | 'open' | 'other' {
  const words = text.slice(START.exec(text)![0].length).split(/\s+/);
  const reader = new PlainWords();
  for (let at = 0; at < WORDS; at++) {
    const word = words[at]!;
    if (at === words.length - 1) return word.length > MAX_WORD ? 'other' : 'open';
    if (!LETTERS.test(word) || !reader.isPlain(word)) return 'other';
  }
  return 'plain';
}

const START = /^[\s.,:;!?*#>"'“”‘’()–—•-]{0,12}/;
const MAX_WORD = 24;
