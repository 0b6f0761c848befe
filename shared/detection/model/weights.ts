import { ATTACK } from '../operating-points/attacks.ts';
import { FEATURE_BITS } from './feature-list.ts';
import { NGRAM_BITS, type NgramModel, type WindowCost } from './ngrams.ts';
import storedData from './weights-data.json' with { type: 'json' };
import storedNgramsData from './weights-ngrams-data.json' with { type: 'json' };
import storedNgramsUser from './weights-ngrams-user.json' with { type: 'json' };
import storedUser from './weights-user.json' with { type: 'json' };

/** How a text is read: as its author's instruction, or as data for the model to look at. */
export type ReadingKind = 'user' | 'data';

export interface ReadingModel {
  /** One signed byte per feature; the score is their sum times `scale` plus `bias`. */
  readonly values: Int8Array;
  readonly scale: number;
  readonly bias: number;
  /** True if the model also uses sentence frames, not only words and meanings. */
  readonly frames: boolean;
  /** The most units of a window. */
  readonly window: number;
  /** Subtracted per doubling of the number of sentences beyond three. */
  readonly slope: number;
  /** Additionally subtracted per doubling beyond ten. */
  readonly steep: number;
  /** The score from which this model alone, without the n-grams, considers a text an attack. */
  readonly threshold: number;
}

interface StoredReading {
  readonly values: string;
  readonly frames: boolean;
  readonly scale: number;
  readonly bias: number;
  readonly window: number;
  readonly slope: number;
  readonly steep: number;
  readonly threshold: number;
}

function load(reading: StoredReading): ReadingModel {
  return { ...reading, values: bytesOf(reading.values, FEATURE_BITS) };
}

function bytesOf(base64: string, bits: number): Int8Array {
  const bytes = atob(base64);
  const values = new Int8Array(1 << bits);
  for (let i = 0; i < values.length && i < bytes.length; i++) values[i] = bytes.charCodeAt(i);
  return values;
}

export const MODELS: Readonly<Record<ReadingKind, ReadingModel>> = {
  user: load(storedUser),
  data: load(storedData),
};

/** How the results for a text are combined: those of its words and meanings, and those of its n-grams. */
export interface Combination extends WindowCost {
  readonly ngrams: NgramModel;
  /** Weight of the n-grams' log-odds relative to the margin. */
  readonly weight: number;
  /**
   * Lower limit of the weighted n-grams, and the value of a text without any. The n-grams of an instruction in an
   * unusual spelling are unknown: they must not outweigh a confident first model. Log-odds.
   */
  readonly minNgrams: number;
  /**
   * Above this limit the weighted n-grams count a tenth: alone they cannot outweigh a first model that rules out an
   * attack. Log-odds.
   */
  readonly maxNgrams: number;
  /** The sum at which one text in two is an attack, and how fast that share grows with it. */
  readonly threshold: number;
  readonly slope: number;
}

const combination = (stored: typeof storedNgramsUser): Combination => ({
  ...stored,
  ngrams: {
    scale: stored.scale,
    bias: stored.bias,
    minCount: stored.minCount,
    readsUnits: stored.readsUnits,
    values: bytesOf(stored.values, NGRAM_BITS),
  },
});

/** By kind of reading: what a user may ask for can be an attack in data. */
export const COMBINATIONS: Readonly<Record<ReadingKind, Combination>> = {
  user: combination(storedNgramsUser),
  data: combination(storedNgramsData),
};

/** Returns the combined log-odds of both models, before calibration. */
export function sumOf(
  margin: number,
  { weight, minNgrams, maxNgrams }: Pick<Combination, 'weight' | 'minNgrams' | 'maxNgrams'>,
  ngrams: number,
): number {
  const weighted = Math.max(minNgrams, weight * ngrams);
  return margin + Math.min(weighted, maxNgrams + (weighted - maxNgrams) * ATTACK.beyondMostNgrams);
}

/**
 * Returns the log-odds of an attack, calibrated on real texts. `margin`: the first model's score above its threshold.
 */
export function attackLogOdds(
  combination: Combination,
  margin: number,
  ngrams = Number.NEGATIVE_INFINITY,
): number {
  return combination.slope * (sumOf(margin, combination, ngrams) - combination.threshold);
}

/** Returns the upper bound of `attackLogOdds` at this margin, whatever the n-grams are. */
export function maxLogOdds({ slope, maxNgrams, threshold }: Combination, margin: number): number {
  return slope * (margin + maxNgrams + ATTACK.mostExcess - threshold);
}

/** Confidence never reaches 0, because the evidence is finite. */
const MIN_LOG_ODDS = -100;

export function confidenceOf(logOdds: number): number {
  return Math.min(ATTACK.mostOfModels, 1 / (1 + Math.exp(-Math.max(MIN_LOG_ODDS, logOdds))));
}
