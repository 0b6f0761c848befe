import { type GuardedFeatures, guardedFeatures } from '../../../shared/detection/guarded/features.ts';
import type { Guard } from '../../../shared/detection/guarded/read-guard.ts';
import {
  eachPart,
  eachQuestion,
  GUARDED_SIZE,
  MAX_QUESTION,
  ofWindows,
  windowScore,
} from '../../../shared/detection/guarded/score-guarded.ts';
import { normalizeText } from '../../../shared/detection/normalize/normalize-text.ts';
import { Workspace } from '../../../shared/detection/workspace.ts';
import { createRandom } from '../../../test/support/random.ts';
import { AdaGrad, averageRuns, errorOf, type LinearWeights, MIN_ERROR } from './adagrad.ts';

/** A user's text with the content that a developer's text guards. */
export interface GuardedRow {
  readonly text: string;
  readonly guard: Guard;
  readonly label: 0 | 1;
  /** Author or origin of the text. */
  readonly source: string;
  /** Weight in training. */
  readonly weight: number;
}

export interface GuardedExample {
  readonly row: GuardedRow;
  readonly windows: readonly GuardedFeatures[];
}

const workspace = new Workspace();

export function compileGuarded(row: GuardedRow): GuardedExample {
  const cleaned = normalizeText(row.text, workspace);
  const windows: GuardedFeatures[] = [];
  workspace.withWords(cleaned.text, MAX_QUESTION, (reading, text) =>
    eachQuestion(reading, (first, last) =>
      windows.push(guardedFeatures(text, reading, first, last, row.guard)),
    ),
  );
  return { row, windows };
}

export function scoreGuarded({ windows }: GuardedExample, weights: LinearWeights): number {
  if (windows.length === 0) return weights.bias;
  return ofWindows(Math.max(...windows.map((window) => scoreOf(window, weights))), windows.length);
}

function scoreOf(window: GuardedFeatures, { values, bias }: LinearWeights): number {
  return windowScore(window, { values, bias, scale: 1 });
}

const ROUNDS = 6;
const RATES = { rate: 0.2, biasRate: 0.05, decay: 2e-6 };
/** Soft targets, because no label is certain. */
const TARGETS = [0.02, 0.98] as const;

/** Only the strongest window of a text is trained. */
export function learnGuarded(examples: readonly GuardedExample[], seed: number): LinearWeights {
  const random = createRandom(seed);
  const model = new AdaGrad(GUARDED_SIZE, RATES);
  const { weights } = model;
  let order: readonly GuardedExample[] = examples.filter(({ windows }) => windows.length > 0);
  for (let round = 0; round < ROUNDS; round++) {
    order = random.shuffled(order);
    for (const { row, windows } of order) {
      const window = strongest(windows, weights);
      const error = errorOf(scoreOf(window, weights), TARGETS[row.label]) * row.weight;
      if (Math.abs(error) < MIN_ERROR) continue;
      eachPart(window, (features, share) => model.update(features, error * share));
      model.updateBias(error);
    }
  }
  return weights;
}

function strongest(windows: readonly GuardedFeatures[], weights: LinearWeights): GuardedFeatures {
  let best = windows[0]!;
  let highest = Number.NEGATIVE_INFINITY;
  for (const window of windows) {
    const score = windows.length === 1 ? 0 : scoreOf(window, weights);
    if (score > highest) [best, highest] = [window, score];
  }
  return best;
}

export function learnGuardedAveraged(
  examples: readonly GuardedExample[],
  seeds: readonly number[],
): LinearWeights {
  return averageRuns(GUARDED_SIZE, seeds, (seed) => learnGuarded(examples, seed));
}
