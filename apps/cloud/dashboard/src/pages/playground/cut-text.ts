import type { PlaygroundResponse } from '@csg/shared/contract';

/** A part of the text with the same highlighting. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  /** The finding with the highest confidence at this position. */
  readonly finding: PlaygroundResponse['findings'][number] | undefined;
  /** Evidence for an attack; 0 if unknown. */
  readonly weight: number;
}

/** Splits a text where findings and weighted words begin and end. */
export function cutText(
  length: number,
  { findings, words }: Pick<PlaygroundResponse, 'findings' | 'words'>,
): Piece[] {
  const boundaries = new Set([0, length]);
  for (const { start, end } of [...findings, ...words]) boundaries.add(start).add(end);
  const positions = [...boundaries]
    .filter((position) => position >= 0 && position <= length)
    .sort((a, b) => a - b);
  const strongest = findings.toSorted((a, b) => b.confidence - a.confidence);
  const pieces: Piece[] = [];
  for (let i = 0; i + 1 < positions.length; i++) {
    const start = positions[i]!;
    const end = positions[i + 1]!;
    const covers = (part: { start: number; end: number }) => part.start <= start && part.end >= end;
    pieces.push({
      start,
      end,
      finding: strongest.find(covers),
      weight: words.find(covers)?.weight ?? 0,
    });
  }
  return pieces;
}
