import { readText } from '../read/read-text.ts';
import { MAX_PIECE, type TokenizedText } from '../read/tokenized-text.ts';
import type { Workspace } from '../workspace.ts';

/** This many equal words in a row do not occur by chance. */
export const RUN = 12;
const BASE = 0x01000193;
const BASE_TO_RUN = Array.from({ length: RUN }).reduce<number>((power) => Math.imul(power, BASE), 1);

/** Called with every run's hash and the index of its first word in `piece`. */
export type VisitRun = (hash: number, word: number, piece: TokenizedText) => void;

/** Reads a text piece by piece, until `onPiece` returns false. */
export function eachPiece(
  text: string,
  workspace: Workspace,
  onPiece: (piece: TokenizedText) => unknown,
): void {
  if (text === '') return;
  workspace.withText(text, (read) =>
    workspace.withReading(Math.min(text.length, MAX_PIECE), (piece) => {
      for (let from = 0; from < text.length; from += MAX_PIECE) {
        readText(read, from, Math.min(text.length, from + MAX_PIECE), piece, false);
        if (onPiece(piece) === false) return;
      }
    }),
  );
}

export function eachRun(piece: TokenizedText, visit: VisitRun): void {
  const { hash: words } = piece;
  let hash = 0;
  for (let w = 0; w < piece.words; w++) {
    hash = (Math.imul(hash, BASE) + words[w]!) | 0;
    if (w >= RUN) hash = (hash - Math.imul(words[w - RUN]!, BASE_TO_RUN)) | 0;
    if (w >= RUN - 1) visit(hash, w - RUN + 1, piece);
  }
}
