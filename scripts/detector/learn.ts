import { FEATURE_BITS, HALF } from '../../shared/detection/model/feature-list.ts';
import type { Example } from './examples.ts';
import type { Random } from './random.ts';

export interface LearnOptions {
  readonly rounds: number;
  readonly rate: number;
  readonly decay: number;
  /** Units a window may span. */
  readonly window: 1 | 2 | 3;
  readonly positiveWeight: number;
  /** Share of visits at which words are not shown, so that meanings and frames must carry the decision. */
  readonly wordDropout: number;
  /** Learning rate of words against that of meanings. */
  readonly wordRate: number;
}

export interface Weights {
  readonly values: Float32Array;
  bias: number;
}

export interface Window {
  readonly last: number;
  readonly size: number;
  readonly score: number;
}

/** Sums per bucket, then over windows: the scores of all windows of an example. */
function bucketSums(example: Example, weights: Weights, sums: Float64Array, floor = 0): void {
  const { features, offsets } = example;
  for (let bucket = 0; bucket < example.units * 3; bucket++) {
    let sum = 0;
    for (let i = offsets[bucket]!; i < offsets[bucket + 1]!; i++) {
      const feature = features[i]!;
      if (feature >= floor) sum += weights.values[feature]!;
    }
    sums[bucket] = sum;
  }
}

const sums = new Float64Array(400_000);

function windowScore(last: number, size: number): number {
  let score = 0;
  const first = last - size + 1;
  for (let unit = first; unit <= last; unit++) {
    for (let back = 0; back <= Math.min(2, unit - first); back++) score += sums[unit * 3 + back]!;
  }
  return score;
}

/** The strongest window; of equal ones the shortest. */
export function bestWindow(example: Example, weights: Weights, maxSize: number): Window {
  bucketSums(example, weights, sums);
  let best: Window = { last: 0, size: 1, score: Number.NEGATIVE_INFINITY };
  for (let last = 0; last < example.units; last++) {
    for (let size = 1; size <= Math.min(maxSize, last + 1); size++) {
      const score = windowScore(last, size) + weights.bias - (example.scoreReduction?.[last] ?? 0);
      if (score > best.score) best = { last, size, score };
    }
  }
  return example.units === 0 ? { last: 0, size: 0, score: weights.bias } : best;
}

/**
 * Logistic regression over windows. An attack must have one window that says so, a harmless text none:
 * first every window of an attack counts a little, then only its strongest; of harmless texts the strongest and some others.
 */
export function learn(examples: readonly Example[], options: LearnOptions, random: Random): Weights {
  const size = 1 << FEATURE_BITS;
  const weights: Weights = { values: new Float32Array(size), bias: -1 };
  const squares = new Float32Array(size).fill(0.05);
  let biasSquare = 1;
  let order = examples.map((_example, index) => index).filter((index) => examples[index]!.units > 0);
  let floor = 0;
  const update = (example: Example, last: number, windowSize: number, label: number, weight: number) => {
    const first = last - windowSize + 1;
    const score = windowScore(last, windowSize) + weights.bias;
    const error = (1 / (1 + Math.exp(-score)) - label) * weight;
    if (Math.abs(error) < 1e-3) return;
    for (let unit = first; unit <= last; unit++) {
      for (let back = 0; back <= Math.min(2, unit - first); back++) {
        const bucket = unit * 3 + back;
        for (let i = example.offsets[bucket]!; i < example.offsets[bucket + 1]!; i++) {
          const feature = example.features[i]!;
          if (feature < floor) continue;
          const value = weights.values[feature]!;
          const gradient = error + options.decay * value;
          squares[feature]! += gradient * gradient;
          const rate = feature < HALF ? options.rate * options.wordRate : options.rate;
          weights.values[feature] = value - (rate * gradient) / Math.sqrt(squares[feature]!);
        }
      }
    }
    biasSquare += error * error;
    weights.bias -= (options.rate * error) / Math.sqrt(biasSquare);
  };
  for (let round = 0; round < options.rounds; round++) {
    order = random.shuffled(order);
    for (const index of order) {
      const example = examples[index]!;
      const label = example.row.label;
      floor = random.chance(options.wordDropout) ? HALF : 0;
      bucketSums(example, weights, sums, floor);
      if (label === 1) {
        if (round === 0 && example.units > 1) {
          const weight = options.positiveWeight / Math.sqrt(example.units);
          for (let k = 0; k < Math.min(example.units, 12); k++) {
            const windowSize = 1 + random.below(Math.min(options.window, example.units));
            update(
              example,
              windowSize - 1 + random.below(example.units - windowSize + 1),
              windowSize,
              1,
              weight,
            );
          }
        } else {
          let best = 0;
          let bestSize = 1;
          let bestScore = Number.NEGATIVE_INFINITY;
          for (let last = 0; last < example.units; last++) {
            for (let windowSize = 1; windowSize <= Math.min(options.window, last + 1); windowSize++) {
              const score = windowScore(last, windowSize);
              if (score > bestScore) {
                bestScore = score;
                best = last;
                bestSize = windowSize;
              }
            }
          }
          update(example, best, bestSize, 1, options.positiveWeight);
        }
      } else {
        let best = 0;
        let bestSize = 1;
        let bestScore = Number.NEGATIVE_INFINITY;
        for (let last = 0; last < example.units; last++) {
          for (let windowSize = 1; windowSize <= Math.min(options.window, last + 1); windowSize++) {
            const score = windowScore(last, windowSize);
            if (score > bestScore) {
              bestScore = score;
              best = last;
              bestSize = windowSize;
            }
          }
        }
        update(example, best, bestSize, 0, 1);
        const windowSize = 1 + random.below(Math.min(options.window, example.units));
        update(example, windowSize - 1 + random.below(example.units - windowSize + 1), windowSize, 0, 0.5);
      }
    }
  }
  return weights;
}
