import { FEATURE_BITS, HALF } from '../../../shared/detection/model/feature-list.ts';
import type { Random } from '../../../test/support/random.ts';
import type { Example } from './examples.ts';

export interface LearnOptions {
  readonly rounds: number;
  readonly rate: number;
  readonly decay: number;
  /** Maximum number of units in a window. */
  readonly window: 1 | 2 | 3;
  readonly positiveWeight: number;
  /** Share of visits without words, so that meanings and frames must carry the decision. */
  readonly wordDropout: number;
  /** Learning rate of words relative to that of meanings. */
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

/** Sums the weights per bucket, then per window: gives the scores of all windows of an example. */
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

function windowScore(sums: Float64Array, last: number, size: number): number {
  let score = 0;
  const first = last - size + 1;
  for (let unit = first; unit <= last; unit++) {
    for (let back = 0; back <= Math.min(2, unit - first); back++) score += sums[unit * 3 + back]!;
  }
  return score;
}

/** Returns the strongest of the summed windows; the shortest on a tie. */
function strongest(
  { units }: Example,
  sums: Float64Array,
  maxSize: number,
  scoreAt: (sum: number, last: number) => number = (sum) => sum,
): Window {
  let best: Window = { last: 0, size: 1, score: Number.NEGATIVE_INFINITY };
  for (let last = 0; last < units; last++) {
    for (let size = 1; size <= Math.min(maxSize, last + 1); size++) {
      const score = scoreAt(windowScore(sums, last, size), last);
      if (score > best.score) best = { last, size, score };
    }
  }
  return best;
}

/** Returns the strongest window; the shortest on a tie. */
export function bestWindow(example: Example, weights: Weights, maxSize: number): Window {
  if (example.units === 0) return { last: 0, size: 0, score: weights.bias };
  const sums = new Float64Array(example.units * 3);
  bucketSums(example, weights, sums);
  const { bias } = weights;
  return strongest(example, sums, maxSize, (sum, last) => sum + bias - (example.scoreReduction?.[last] ?? 0));
}

/**
 * Logistic regression over windows. An attack needs one positive window, a harmless text none: at first every window of
 * an attack counts a little, later only its strongest; for harmless texts the strongest and some others.
 */
export function learn(examples: readonly Example[], options: LearnOptions, random: Random): Weights {
  const model = createModel(options);
  let order = examples.map((_example, index) => index).filter((index) => examples[index]!.units > 0);
  for (let round = 0; round < options.rounds; round++) {
    order = random.shuffled(order);
    for (const index of order) {
      const example = examples[index]!;
      model.look(example, random.chance(options.wordDropout) ? HALF : 0);
      if (example.row.label === 0) learnHarmless(model, example, options, random);
      else if (round === 0 && example.units > 1) learnFirst(model, example, options, random);
      else model.update(example, model.strongest(example), 1, options.positiveWeight);
    }
  }
  return model.weights;
}

type Model = ReturnType<typeof createModel>;
type Place = Pick<Window, 'last' | 'size'>;

function learnHarmless(model: Model, example: Example, options: LearnOptions, random: Random): void {
  model.update(example, model.strongest(example), 0, 1);
  model.update(example, randomWindow(example, options, random), 0, 0.5);
}

/** The attack's window is not known yet: trains some windows with a small weight. */
function learnFirst(model: Model, example: Example, options: LearnOptions, random: Random): void {
  const weight = options.positiveWeight / Math.sqrt(example.units);
  for (let i = 0; i < Math.min(example.units, 12); i++)
    model.update(example, randomWindow(example, options, random), 1, weight);
}

function randomWindow({ units }: Example, options: LearnOptions, random: Random): Place {
  const size = 1 + random.below(Math.min(options.window, units));
  return { last: size - 1 + random.below(units - size + 1), size };
}

/** Weights with AdaGrad's sums of squares. */
function createModel({ rate, wordRate, decay, window }: LearnOptions) {
  const count = 1 << FEATURE_BITS;
  const weights: Weights = { values: new Float32Array(count), bias: -1 };
  const squares = new Float32Array(count).fill(0.05);
  /** Buffer for the sums of the current example; larger than any. */
  const sums = new Float64Array(400_000);
  let biasSquare = 1;
  let floor = 0;

  function updateBucket({ features, offsets }: Example, bucket: number, error: number): void {
    for (let i = offsets[bucket]!; i < offsets[bucket + 1]!; i++) {
      const feature = features[i]!;
      if (feature < floor) continue;
      const value = weights.values[feature]!;
      const gradient = error + decay * value;
      squares[feature]! += gradient * gradient;
      const step = feature < HALF ? rate * wordRate : rate;
      weights.values[feature] = value - (step * gradient) / Math.sqrt(squares[feature]!);
    }
  }

  return {
    weights,
    /** Sets the example of all following updates. Features below `lowest` are ignored. */
    look(example: Example, lowest: number): void {
      floor = lowest;
      bucketSums(example, weights, sums, floor);
    },
    strongest: (example: Example): Place => strongest(example, sums, window),
    update(example: Example, { last, size }: Place, label: number, weight: number): void {
      const first = last - size + 1;
      const score = windowScore(sums, last, size) + weights.bias;
      const error = (1 / (1 + Math.exp(-score)) - label) * weight;
      if (Math.abs(error) < 1e-3) return;
      for (let unit = first; unit <= last; unit++) {
        for (let back = 0; back <= Math.min(2, unit - first); back++)
          updateBucket(example, unit * 3 + back, error);
      }
      biasSquare += error * error;
      weights.bias -= (rate * error) / Math.sqrt(biasSquare);
    },
  };
}
