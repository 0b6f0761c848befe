import { CHAR_CLASS, FOLD, NO_BLANKS, SILENT, WORD } from '../read/characters.ts';

const DIGIT = 2;
/** Shorter words are in every text. */
const MIN_WORD = 4;
/** Endings differ with case and person. */
const STEM = 5;
const PRIME = 0x01000193;
const BASIS = 0x811c9dc5 | 0;

/** Hashes of the beginnings of a text's longer words; where a script has no blanks, of neighboring characters. Linear. */
export function eachStem(text: string, from: number, to: number, visit: (stem: number) => void): void {
  let hash = BASIS;
  let length = 0;
  let last = 0;
  const end = (): void => {
    if (length >= MIN_WORD) visit(hash);
    hash = BASIS;
    length = 0;
  };
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    const kind = CHAR_CLASS[code]!;
    if (kind === NO_BLANKS) {
      end();
      if (last !== 0) visit(Math.imul((BASIS ^ last) * 31, PRIME) ^ code);
      last = code;
      continue;
    }
    last = 0;
    if (kind === WORD || kind === DIGIT) {
      if (length < STEM) hash = Math.imul(hash ^ FOLD[code]!, PRIME);
      length++;
    } else if (kind !== SILENT) end();
  }
  end();
}
