import { HASH_SEED, hashStep, stems, wholeWords } from '../lexicon/tables.ts';
import { TEXT } from '../operating-points/texts.ts';
import type { TokenizedText } from '../read/tokenized-text.ts';
import type { Workspace } from '../workspace.ts';

/** The part of a text that decides whether it consists of words. */
const MAX_HEAD = 1_000;

/** True if a text reads like sentences: enough English function words, or several words with a meaning. */
export function looksLikeWords(text: string, workspace: Workspace): boolean {
  const { known, words } = countWords(text, workspace);
  return words >= 3 && known >= words * TEXT.knownWords && known >= 2;
}

/** Counts function words and words with a meaning in the first 1,000 characters. */
export function knownWords(text: string, workspace: Workspace): number {
  return countWords(text, workspace).known;
}

function countWords(text: string, workspace: Workspace): { readonly known: number; readonly words: number } {
  return workspace.withWords(text, MAX_HEAD, knownIn);
}

function knownIn({ frames, concepts, words }: TokenizedText): {
  readonly known: number;
  readonly words: number;
} {
  return { known: frames + concepts, words };
}

/** Inserts spaces between the words of a text written without them, as far as they are known. */
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
    // The rest of an inflected word, up to the next known word.
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
