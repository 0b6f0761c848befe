import { HASH_SEED, hashStep } from '../lexicon/tables.ts';
import { CODE_CLASS, NO_BLANKS, SILENT } from '../read/characters.ts';

/** Shorter words occur in every text. */
const MIN_WORD = 4;
/** Length of a stem: endings vary with case and person. */
const STEM = 5;

/**
 * Visits the hashes of the beginnings of a text's longer words and, in scripts without spaces, of pairs of adjacent
 * characters. Linear.
 */
export function eachStem(text: string, from: number, to: number, visit: (stem: number) => void): void {
  let hash = HASH_SEED;
  let length = 0;
  let last = 0;
  const end = (): void => {
    if (length >= MIN_WORD) visit(hash);
    hash = HASH_SEED;
    length = 0;
  };
  for (let i = from; i < to; i++) {
    const raw = text.charCodeAt(i);
    const code = CODE_CLASS[raw]!;
    if (code >= 0) {
      if (length < STEM) hash = hashStep(hash, code & 0xffff);
      length++;
    } else if (code !== ~SILENT) end();
    if (code === ~NO_BLANKS) {
      if (last !== 0) visit(hashStep(hashStep(HASH_SEED, last), raw));
      last = raw;
    } else last = 0;
  }
  end();
}
