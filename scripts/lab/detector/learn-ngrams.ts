import {
  cutSegments,
  eachWindow,
  NGRAM_BITS,
  NgramTables,
  ngramLogOdds,
  ngramsOf,
  scoreOf,
} from '../../../shared/detection/model/ngrams.ts';
import { normalizeText } from '../../../shared/detection/normalize/normalize-text.ts';
import { readText } from '../../../shared/detection/read/read-text.ts';
import { MAX_PIECE } from '../../../shared/detection/read/tokenized-text.ts';
import { ScoringTables, Workspace } from '../../../shared/detection/workspace.ts';
import { createRandom, type Random } from '../../../test/support/random.ts';
import { AdaGrad, averageRuns, errorOf, type LinearWeights, MIN_ERROR } from './adagrad.ts';
import { MIN_COUNT, READS_UNITS, WINDOW_COST } from './choose-combination.ts';
import type { NgramRow } from './ngram-rows.ts';

/** A text as n-grams: window `w` holds `features[from[w] .. to[w])`. */
export interface NgramExample {
  readonly row: NgramRow;
  readonly features: Int32Array;
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Windows that contain a part of the planted attack, and those that do not; absent: its position is unknown. */
  readonly inside?: readonly number[];
  readonly outside?: readonly number[];
}

const workspace = new Workspace();
const tables = new ScoringTables(MAX_PIECE);
const ngrams = new NgramTables(MAX_PIECE);

export function compileNgrams(row: NgramRow): NgramExample {
  const { text } = normalizeText(row.text, workspace);
  const size = Math.min(text.length, MAX_PIECE);
  return workspace.withText(text, (read) => {
    readText(read, 0, size, tables.reading, row.kind === 'data');
    cutSegments(tables.reading, ngrams);
    const features: number[] = [];
    const offsets = [0];
    for (let at = 0; at < ngrams.segments; at++) {
      const count = ngramsOf(read.codes, ngrams.start[at]!, ngrams.end[at]!, ngrams.found);
      for (let i = 0; i < count; i++) features.push(ngrams.found[i]!);
      offsets.push(features.length);
    }
    const windows: (readonly [number, number])[] = [];
    eachWindow(ngrams, READS_UNITS[row.kind], (first, last) => windows.push([first, last]));
    return {
      row,
      features: Int32Array.from(features),
      from: Int32Array.from(windows, ([first]) => offsets[first]!),
      to: Int32Array.from(windows, ([, last]) => offsets[last + 1]!),
      ...(row.span === undefined ? {} : placesOf(windows, row.span)),
    };
  });
}

function placesOf(windows: readonly (readonly [number, number])[], [from, to]: readonly [number, number]) {
  const inside: number[] = [];
  const outside: number[] = [];
  for (const [index, [first, last]] of windows.entries()) {
    const start = ngrams.start[first]!;
    const end = ngrams.end[last]!;
    const common = Math.min(end, to) - Math.max(start, from);
    if (common * 2 > Math.min(end - start, to - from)) inside.push(index);
    else if (common <= 0) outside.push(index);
  }
  return { inside, outside };
}

/** Returns the score of a text: that of its strongest window, minus a cost for the number of windows. */
export function scoreExample(example: NgramExample, weights: LinearWeights): number {
  const { index } = strongest(example, weights);
  const count = example.from.length;
  return count === 0
    ? weights.bias
    : ngramLogOdds(windowScore(example, index, weights), count, WINDOW_COST[example.row.kind]);
}

function windowScore(
  { row, features, from, to }: NgramExample,
  window: number,
  weights: LinearWeights,
): number {
  let sum = 0;
  for (let i = from[window]!; i < to[window]!; i++) sum += weights.values[features[i]!]!;
  return scoreOf(sum, to[window]! - from[window]!, { bias: weights.bias, minCount: MIN_COUNT[row.kind] });
}

function strongest(example: NgramExample, weights: LinearWeights): { index: number; score: number } {
  let best = { index: 0, score: Number.NEGATIVE_INFINITY };
  for (let index = 0; index < example.from.length; index++) {
    const score = windowScore(example, index, weights);
    if (score > best.score) best = { index, score };
  }
  return best;
}

const ROUNDS = 3;
const RATES = { rate: 0.5, biasRate: 0.1 };
/** Soft targets, because no label is certain. */
const ATTACK = 0.99;
const HARMLESS = 0.01;
/** Weight of other windows of a harmless text relative to its strongest, and how many are used. */
const OTHER_WEIGHT = 0.4;
const OTHERS = 3;
const FIRST_WINDOWS = 6;

/**
 * Logistic regression over windows with multiple instances: an attack needs one positive window, a harmless text none.
 * At first every window of an attack counts a little, later only its strongest.
 */
export function learnNgrams(examples: readonly NgramExample[], seed: number): LinearWeights {
  const random = createRandom(seed);
  const model = new AdaGrad(1 << NGRAM_BITS, RATES);
  const { weights } = model;
  const update = (example: NgramExample, window: number, target: number, weight: number): void => {
    const { row, features, from, to } = example;
    const error = errorOf(windowScore(example, window, weights), target) * weight;
    if (Math.abs(error) < MIN_ERROR) return;
    const found = features.subarray(from[window], to[window]);
    model.update(found, scoreOf(error, found.length, { bias: 0, minCount: MIN_COUNT[row.kind] }));
    model.updateBias(error);
  };
  let order: readonly NgramExample[] = examples.filter(({ features }) => features.length > 0);
  for (let round = 0; round < ROUNDS; round++) {
    order = random.shuffled(order);
    for (const example of order) learnOne(example, round, weights, random, update);
  }
  return weights;
}

type Update = (example: NgramExample, window: number, target: number, weight: number) => void;

function learnOne(
  example: NgramExample,
  round: number,
  weights: LinearWeights,
  random: Random,
  update: Update,
): void {
  const { row, inside, outside } = example;
  if (row.label === 0) learnHarmless(example, weights, random, update);
  else if (inside !== undefined && outside !== undefined) {
    if (inside.length > 0) update(example, random.pick(inside), ATTACK, 1);
    if (outside.length > 0) update(example, random.pick(outside), HARMLESS, 0.5);
  } else if (round === 0) learnFirst(example, random, update);
  else update(example, strongest(example, weights).index, ATTACK, 1);
}

/** Trains its strongest window, and some others. */
function learnHarmless(example: NgramExample, weights: LinearWeights, random: Random, update: Update): void {
  const count = example.from.length;
  update(example, strongest(example, weights).index, HARMLESS, 1);
  for (let i = 0; i < Math.min(OTHERS, count - 1); i++)
    update(example, random.below(count), HARMLESS, OTHER_WEIGHT);
}

/** The attack's window is not known yet: trains some windows with a small weight. */
function learnFirst(example: NgramExample, random: Random, update: Update): void {
  const count = example.from.length;
  for (let i = 0; i < Math.min(FIRST_WINDOWS, count); i++)
    update(example, count <= FIRST_WINDOWS ? i : random.below(count), ATTACK, 1 / Math.sqrt(count));
}

export function learnNgramsAveraged(
  examples: readonly NgramExample[],
  seeds: readonly number[],
): LinearWeights {
  return averageRuns(1 << NGRAM_BITS, seeds, (seed) => learnNgrams(examples, seed));
}
