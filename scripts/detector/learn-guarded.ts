import { type GuardedFeatures, guardedFeatures } from '../../shared/detection/guarded/features.ts';
import type { Guard } from '../../shared/detection/guarded/read-guard.ts';
import {
  eachPart,
  eachQuestion,
  GUARDED_SIZE,
  MAX_QUESTION,
  ofWindows,
  windowScore,
} from '../../shared/detection/guarded/score-guarded.ts';
import { clean } from '../../shared/detection/normalize/clean.ts';
import { Workspace } from '../../shared/detection/workspace.ts';
import { createRandom } from './random.ts';

/** A user's text beside what a developer's guards. */
export interface GuardedRow {
  readonly text: string;
  readonly guard: Guard;
  readonly label: 0 | 1;
  /** Who wrote it, or where it is from. */
  readonly source: string;
  /** What it counts. */
  readonly weight: number;
}

export interface GuardedExample {
  readonly row: GuardedRow;
  readonly windows: readonly GuardedFeatures[];
}

export interface LearnedWeights {
  readonly values: Float32Array;
  readonly scale: 1;
  bias: number;
}

const workspace = new Workspace();

export function compileGuarded(row: GuardedRow): GuardedExample {
  const { text } = clean(row.text, workspace);
  const windows: GuardedFeatures[] = [];
  workspace.withWords(text, MAX_QUESTION, (reading) =>
    eachQuestion(reading, (first, last) =>
      windows.push(guardedFeatures(text, reading, first, last, row.guard)),
    ),
  );
  return { row, windows };
}

export function scoreGuarded({ windows }: GuardedExample, weights: LearnedWeights): number {
  if (windows.length === 0) return weights.bias;
  return ofWindows(Math.max(...windows.map((window) => windowScore(window, weights))), windows.length);
}

const ROUNDS = 6;
const RATE = 0.2;
const BIAS_RATE = 0.05;
/** Nothing is surely one or the other. */
const TARGETS = [0.02, 0.98] as const;
/** Of each weight, for each example. */
const DECAY = 2e-6;

/** Logistic regression with AdaGrad; the strongest window of a text learns. */
export function learnGuarded(examples: readonly GuardedExample[], seed: number): LearnedWeights {
  const random = createRandom(seed);
  const weights: LearnedWeights = { values: new Float32Array(GUARDED_SIZE), scale: 1, bias: -1 };
  const squares = new Float32Array(GUARDED_SIZE).fill(0.01);
  let biasSquare = 1;
  let order: readonly GuardedExample[] = examples.filter(({ windows }) => windows.length > 0);
  for (let round = 0; round < ROUNDS; round++) {
    order = random.shuffled(order);
    for (const { row, windows } of order) {
      const window = strongest(windows, weights);
      const error = (1 / (1 + Math.exp(-windowScore(window, weights))) - TARGETS[row.label]) * row.weight;
      if (Math.abs(error) < 1e-3) continue;
      eachPart(window, (features, share) => {
        const gradient = error * share;
        for (const feature of features) {
          const value = weights.values[feature]!;
          const step = gradient + DECAY * value;
          squares[feature]! += step * step;
          weights.values[feature] = value - (RATE * step) / Math.sqrt(squares[feature]!);
        }
      });
      biasSquare += error * error;
      weights.bias -= (BIAS_RATE * error) / Math.sqrt(biasSquare);
    }
  }
  return weights;
}

function strongest(windows: readonly GuardedFeatures[], weights: LearnedWeights): GuardedFeatures {
  let best = windows[0]!;
  let highest = Number.NEGATIVE_INFINITY;
  for (const window of windows) {
    const score = windows.length === 1 ? 0 : windowScore(window, weights);
    if (score > highest) [best, highest] = [window, score];
  }
  return best;
}

/** The mean of several runs: one linear model with less noise. */
export function learnGuardedAveraged(
  examples: readonly GuardedExample[],
  seeds: readonly number[],
): LearnedWeights {
  const mean: LearnedWeights = { values: new Float32Array(GUARDED_SIZE), scale: 1, bias: 0 };
  for (const seed of seeds) {
    const { values, bias } = learnGuarded(examples, seed);
    for (let i = 0; i < values.length; i++) mean.values[i]! += values[i]! / seeds.length;
    mean.bias += bias / seeds.length;
  }
  return mean;
}
