import type { PlaygroundAnswer } from '@csg/shared/contract';

/** A stretch of the text that is drawn alike. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  /** The finding it is part of: the one of the highest confidence. */
  readonly finding: PlaygroundAnswer['findings'][number] | undefined;
  /** How much it speaks for an attack; 0 where nothing is known. */
  readonly weight: number;
}

/** Cuts a text where findings and weighed words begin and end. */
export function cutText(
  length: number,
  { findings, words }: Pick<PlaygroundAnswer, 'findings' | 'words'>,
): Piece[] {
  const borders = new Set([0, length]);
  for (const { start, end } of [...findings, ...words]) borders.add(start).add(end);
  const places = [...borders].filter((place) => place >= 0 && place <= length).sort((a, b) => a - b);
  const strongest = findings.toSorted((a, b) => b.confidence - a.confidence);
  const pieces: Piece[] = [];
  for (let i = 0; i + 1 < places.length; i++) {
    const start = places[i]!;
    const end = places[i + 1]!;
    const holds = (part: { start: number; end: number }) => part.start <= start && part.end >= end;
    pieces.push({
      start,
      end,
      finding: strongest.find(holds),
      weight: words.find(holds)?.weight ?? 0,
    });
  }
  return pieces;
}
