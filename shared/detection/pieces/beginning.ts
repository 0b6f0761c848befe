import { PlainWords } from './plain-words.ts';

/** Only whitespace and punctuation that ends words. */
export const NO_WORD = /^[\s.,:;!?)]{0,12}$/;
const LETTERS = /^["'“‘(*`]{0,3}\p{L}{2,}[^\p{N}]*$/u;
const WORDS = 2;

/**
 * Classifies the beginning of a text. `plain`: words that are not part of a value, a key or an address, whatever
 * precedes them. `open`: its first words have not ended.
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
