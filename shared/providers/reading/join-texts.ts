import type { SlotPart, SlotRole, Steps } from '../../text/index.ts';
import type { TextCollector } from './text-collector.ts';

export interface Piece {
  readonly path: string;
  readonly text: string;
}

/** Longer pieces take part with this many characters at either end: enough to find a match across the seam. */
const EDGE_CHARACTERS = 256;
/** Pieces that are joined between two pauses. */
const STRIDE = 64;

/**
 * Adds a joined reading of a text that is split into adjacent blocks, because the model reads it as one. Joined without
 * a gap, and again with spaces if a seam could be inside or at the end of a word. Costs at most 512 characters per
 * block.
 */
export function* joinTexts(
  collector: TextCollector,
  pieces: readonly Piece[],
  path: string,
  role: SlotRole,
): Steps<void> {
  if (pieces.length < 2) return;
  const seamless = yield* join(pieces, '');
  collector.joined(path, role, seamless.text, seamless.parts);
  if (!hasOpenSeam(pieces)) return;
  const spaced = yield* join(pieces, ' ');
  collector.joined(`${path}~spaced`, role, spaced.text, spaced.parts);
}

function* join(pieces: readonly Piece[], gap: string): Steps<{ text: string; parts: SlotPart[] }> {
  const parts: SlotPart[] = [];
  let text = '';
  const add = (piece: Piece, from: number, to: number): void => {
    parts.push({ path: piece.path, from, start: text.length, end: text.length + to - from });
    text += piece.text.slice(from, to);
  };
  for (const [i, piece] of pieces.entries()) {
    const length = piece.text.length;
    if (i % STRIDE === STRIDE - 1) yield;
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
