import { HASH_SEED, hashStep, stems, wholeWords } from '../lexicon/tables.ts';
import { readText } from '../read/read-text.ts';
import { Reading } from '../read/reading.ts';

const check = new Reading();

/** True where text reads as sentences: enough words of an English frame, or several of known meaning. */
export function looksLikeWords(text: string): boolean {
  const known = knownWords(text);
  return check.words >= 3 && known >= check.words * 0.3 && known >= 2;
}

/** Words of a frame or of known meaning, in the first 1,000 characters. */
export function knownWords(text: string): number {
  readText(text, 0, Math.min(text.length, 1000), check, false);
  return check.frames + check.concepts;
}

/** Puts blanks between words of a text written without them, as far as they are known. */
export function segment(text: string): string {
  const lower = text.toLowerCase();
  let out = '';
  let at = 0;
  while (at < lower.length) {
    const length = knownLength(lower, at);
    if (length === 0) {
      out += lower[at];
      at++;
      continue;
    }
    let end = at + length;
    // the rest of an inflected word, up to where the next known one begins
    for (
      let more = 0;
      more < 5 && end < lower.length && knownLength(lower, end) < 3 && lower[end] !== ' ';
      more++
    )
      end++;
    out += ` ${lower.slice(at, end)} `;
    at = end;
  }
  return out.replace(/ +/g, ' ').trim();
}

function knownLength(text: string, at: number): number {
  let hash = HASH_SEED;
  let best = 0;
  for (let i = at; i < text.length && i < at + 14; i++) {
    const code = text.charCodeAt(i);
    if (code < 97 || code > 122) break;
    hash = hashStep(hash, code);
    const length = i - at + 1;
    if (length < 2) continue;
    if (wholeWords.get(hash) !== 0 || (length > 3 && stems.get(hash) !== 0)) best = length;
  }
  return best;
}
