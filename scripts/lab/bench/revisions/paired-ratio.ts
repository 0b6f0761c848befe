import { median } from '../statistics.ts';

export interface PairedRatio {
  /** Median of the pairs' ratios: one disturbed round does not move it. */
  readonly median: number;
  /** Interval that holds the true ratio in 95 of 100 such runs. */
  readonly from: number;
  readonly to: number;
  readonly pairs: number;
}

/** Two-sided 97.5 % points of Student's t, by degrees of freedom from 1. */
const T_975 = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131,
  2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
];
const T_MANY = 1.96;

/**
 * `over[i] / under[i]` were measured one after the other. The interval is Student's, on logarithms, because twice as
 * much and half as much are equally far from 1. Needs two pairs.
 */
export function pairedRatio(over: readonly number[], under: readonly number[]): PairedRatio {
  if (over.length !== under.length || over.length < 2) throw new Error('A ratio needs at least two pairs.');
  const ratios = over.map((value, pair) => value / under[pair]!);
  const logs = ratios.map(Math.log);
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const squares = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0);
  const error = Math.sqrt(squares / (logs.length - 1) / logs.length);
  const reach = error * (T_975[logs.length - 2] ?? T_MANY);
  return {
    median: median(ratios),
    from: Math.exp(mean - reach),
    to: Math.exp(mean + reach),
    pairs: ratios.length,
  };
}

/** The whole interval lies beyond `limit` (1.1: more than a tenth dearer). */
export function isDearer(ratio: PairedRatio, limit: number): boolean {
  return ratio.from > limit;
}
