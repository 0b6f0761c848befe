import { FEATURE_BITS } from './feature-list.ts';
import { NGRAM_BITS, type NgramModel, type WindowCost } from './ngrams.ts';
import storedData from './weights-data.json' with { type: 'json' };
import storedNgramsData from './weights-ngrams-data.json' with { type: 'json' };
import storedNgramsUser from './weights-ngrams-user.json' with { type: 'json' };
import storedUser from './weights-user.json' with { type: 'json' };

/** How a text is read: as its author's instruction, or as data the model was only meant to look at. */
export type ReadingKind = 'user' | 'data';

export interface ReadingModel {
  /** One signed byte per feature; the score is their sum times `scale` plus `bias`. */
  readonly values: Int8Array;
  readonly scale: number;
  readonly bias: number;
  /** Whether frames count, not only words and meanings. */
  readonly frames: boolean;
  /** Units a window may span. */
  readonly window: number;
  /** Taken off per doubling of the sentences beyond three. */
  readonly slope: number;
  /** And more per doubling beyond ten. */
  readonly steep: number;
  /** The score from which a text was called an attack before the n-grams were asked. */
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

/** How the readings of a text are added up: those of its words and meanings, and of its n-grams. */
export interface Combination extends WindowCost {
  readonly ngrams: NgramModel;
  /** What the log-odds of the n-grams count beside the margin. */
  readonly weight: number;
  /**
   * What n-grams take off at most, weighted, and what a text without any is given. An order in an odd spelling has
   * n-grams that nothing was learned of: they must not outweigh what the first reading is sure of. Log-odds.
   */
  readonly minNgrams: number;
  /** Above this, weighted, they count a tenth: alone they cannot outweigh a first reading that denies an attack. Log-odds. */
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

/** By whose words a text is: what a user wants is no attack in data alone. */
export const COMBINATIONS: Readonly<Record<ReadingKind, Combination>> = {
  user: combination(storedNgramsUser),
  data: combination(storedNgramsData),
};

/** What n-grams beyond their most still count, so that no score saturates. */
const BEYOND_MAX = 0.1;

/** What both readings say together. Log-odds, before calibration. */
export function sumOf(
  margin: number,
  { weight, minNgrams, maxNgrams }: Pick<Combination, 'weight' | 'minNgrams' | 'maxNgrams'>,
  ngrams: number,
): number {
  const weighted = Math.max(minNgrams, weight * ngrams);
  return margin + Math.min(weighted, maxNgrams + (weighted - maxNgrams) * BEYOND_MAX);
}

/** Log-odds of an attack, calibrated on real texts. `margin`: the first reading above its threshold. */
export function attackLogOdds(
  combination: Combination,
  margin: number,
  ngrams = Number.NEGATIVE_INFINITY,
): number {
  return combination.slope * (sumOf(margin, combination, ngrams) - combination.threshold);
}

/** What n-grams beyond their most gave in the strongest of 30,000 texts but one. Log-odds, weighted. */
const MAX_EXCESS = 2.5;

/** What `attackLogOdds` gives at most at this margin, whatever the n-grams say. */
export function maxLogOdds({ slope, maxNgrams, threshold }: Combination, margin: number): number {
  return slope * (margin + maxNgrams + MAX_EXCESS - threshold);
}

/** Never says 0 or 1: what was seen is finite. */
const MAX_CONFIDENCE = 0.99;
const MIN_LOG_ODDS = -100;

export function confidenceOf(logOdds: number): number {
  return Math.min(MAX_CONFIDENCE, 1 / (1 + Math.exp(-Math.max(MIN_LOG_ODDS, logOdds))));
}
