import { ATTACK } from '../operating-points/attacks.ts';
import type { Text } from '../read/codes.ts';
import type { TokenizedText } from '../read/tokenized-text.ts';
import { GUARDED_BITS, type GuardedFeatures, guardedFeatures, MAX_WINDOW } from './features.ts';
import type { Guard } from './read-guard.ts';

/** The longest user's text that is read; longer ones are not questions. UTF-16 units. */
export const MAX_QUESTION = 6_000;
/** Lower limits of the number of features, for normalization. */
const MIN_NGRAMS = 150;
const MIN_MEANINGS = 6;

export interface GuardedWeights {
  readonly values: ArrayLike<number>;
  readonly scale: number;
  readonly bias: number;
}

/** Visits the windows of a text that was read. Each extends to at most MAX_WINDOW; the next starts at its last unit. */
export function eachQuestion(
  { units, unitStart, unitEnd }: TokenizedText,
  visit: (first: number, last: number) => void,
): void {
  for (let first = 0; first < units; ) {
    let last = first;
    while (last + 1 < units && unitEnd[last + 1]! - unitStart[first]! <= MAX_WINDOW) last++;
    visit(first, last);
    if (last + 1 >= units) return;
    first = Math.max(first + 1, last);
  }
}

/** Calls `visit` with each part of a window's features and the factor of its weights. */
export function eachPart(
  { ngrams, meanings, shape }: GuardedFeatures,
  visit: (features: readonly number[], share: number) => void,
): void {
  visit(ngrams, 1 / Math.sqrt(Math.max(MIN_NGRAMS, ngrams.length)));
  visit(meanings, 1 / Math.sqrt(Math.max(MIN_MEANINGS, meanings.length)));
  visit(shape, ATTACK.guardedShapeShare);
}

export function windowScore(features: GuardedFeatures, { values, scale, bias }: GuardedWeights): number {
  let score = bias;
  eachPart(features, (list, share) => {
    let sum = 0;
    for (const feature of list) sum += values[feature]!;
    score += sum * scale * share;
  });
  return score;
}

export const ofWindows = (score: number, windows: number): number =>
  score - ATTACK.guardedPerWindow * Math.log(Math.max(1, windows));

export interface GuardedScore {
  /** Log-odds, before calibration. */
  readonly score: number;
  /** Offsets of the strongest window. UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** Returns the score and position of the strongest window of a text that was read. */
export function scoreQuestion(
  text: Text,
  reading: TokenizedText,
  guard: Guard,
  weights: GuardedWeights,
): GuardedScore | null {
  let best: GuardedScore | null = null;
  let windows = 0;
  eachQuestion(reading, (first, last) => {
    windows++;
    const score = windowScore(guardedFeatures(text, reading, first, last, guard), weights);
    if (best === null || score > best.score)
      best = { score, start: reading.unitStart[first]!, end: reading.unitEnd[last]! };
  });
  const strongest = best as GuardedScore | null;
  return strongest && { ...strongest, score: ofWindows(strongest.score, windows) };
}

export const GUARDED_SIZE = 1 << GUARDED_BITS;
