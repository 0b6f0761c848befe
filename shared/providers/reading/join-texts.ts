import type { SlotPart, SlotRole } from '../../text/index.ts';
import type { TextCollector } from './text-collector.ts';

export interface Piece {
  readonly path: string;
  readonly text: string;
}

/** Of a longer piece only this much at either end takes part: enough to see what was cut at the seam. */
const EDGE_CHARACTERS = 256;

/**
 * A text cut into neighbouring blocks is read by the model in one go, so it is shown to the engine that way, too.
 * Joined without a gap, and once more with spaces where a seam could be a word's end or its middle.
 * Costs at most 512 characters a block.
 */
export function joinTexts(
  collector: TextCollector,
  pieces: readonly Piece[],
  path: string,
  role: SlotRole,
): void {
  if (pieces.length < 2) return;
  const seamless = join(pieces, '');
  collector.joined(path, role, seamless.text, seamless.parts);
  if (!hasOpenSeam(pieces)) return;
  const spaced = join(pieces, ' ');
  collector.joined(`${path}~spaced`, role, spaced.text, spaced.parts);
}

function join(pieces: readonly Piece[], gap: string): { text: string; parts: SlotPart[] } {
  const parts: SlotPart[] = [];
  let text = '';
  const add = (piece: Piece, from: number, to: number): void => {
    parts.push({ path: piece.path, from, start: text.length, end: text.length + to - from });
    text += piece.text.slice(from, to);
  };
  for (const [i, piece] of pieces.entries()) {
    const length = piece.text.length;
    if (i > 0) text += gap;
    if (length <= 2 * EDGE_CHARACTERS) {
      add(piece, 0, length);
    } else {
      add(piece, 0, EDGE_CHARACTERS);
      text += '\n\n';
      add(piece, length - EDGE_CHARACTERS, length);
    }
  }
  return { text, parts };
}

function hasOpenSeam(pieces: readonly Piece[]): boolean {
  for (let i = 1; i < pieces.length; i++) {
    const before = pieces[i - 1]?.text.at(-1) ?? ' ';
    const after = pieces[i]?.text[0] ?? ' ';
    if (/[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after)) return true;
  }
  return false;
}
