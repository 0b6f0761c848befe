import type { WindowCost } from '../../../shared/detection/model/ngrams.ts';
import { sumOf as sumOfBoth } from '../../../shared/detection/model/weights.ts';
import type { TextKind } from './further-rows.ts';

/** A text as scored by the two models, neither of which was trained on it. Log-odds. */
export interface ScoredRow {
  readonly source: string;
  readonly label: 0 | 1;
  /** Real harmless text that was not used for training. */
  readonly isTraffic: boolean;
  /** Margin of the first reading above its threshold. */
  readonly margin: number;
  readonly ngrams: number;
}

export interface ChosenCombination extends WindowCost {
  readonly weight: number;
  readonly minNgrams: number;
  readonly maxNgrams: number;
  readonly threshold: number;
  readonly slope: number;
}

const WEIGHT: Readonly<Record<TextKind, number>> = { user: 2.5, data: 1 };
const MIN_NGRAMS: Readonly<Record<TextKind, number>> = { user: -1.9, data: -1 };
const MAX_NGRAMS: Readonly<Record<TextKind, number>> = { user: 6, data: 20 };
/** Keeps long texts from scoring high by chance more often than short ones. Users' texts are often a lone sentence. */
export const WINDOW_COST: Readonly<Record<TextKind, WindowCost>> = {
  user: { perWindow: 0.8, minWindows: 1 },
  data: { perWindow: 1, minWindows: 4 },
};
/** An odd word in a short question is no sign of an attack; an instruction in data is short. */
export const MIN_COUNT: Readonly<Record<TextKind, number>> = { user: 250, data: 60 };
/** An instruction in data is surrounded by unrelated sentences. */
export const READS_UNITS: Readonly<Record<TextKind, boolean>> = { user: false, data: true };
/** Share of real harmless texts above the threshold, at which the confidence is one half. */
const SHARE: Readonly<Record<TextKind, number>> = { user: 0.004, data: 0.01 };
/** Chooses the threshold that `SHARE` of real texts exceed, and the slope of the share of attacks there. */
export function chooseCombination(rows: readonly ScoredRow[], kind: TextKind): ChosenCombination {
  const [weight, minNgrams, maxNgrams] = [WEIGHT[kind], MIN_NGRAMS[kind], MAX_NGRAMS[kind]];
  const sumOf = ({ margin, ngrams }: ScoredRow): number =>
    sumOfBoth(margin, { weight, minNgrams, maxNgrams }, ngrams);
  const harmless = rows.filter((row) => row.isTraffic).map(sumOf);
  const attacks = rows.filter((row) => row.label === 1).map(sumOf);
  harmless.sort((a, b) => b - a);
  const threshold = harmless[Math.floor(harmless.length * SHARE[kind])]!;
  return {
    weight,
    minNgrams,
    maxNgrams,
    ...WINDOW_COST[kind],
    threshold: round(threshold),
    slope: round(slopeAt(threshold, harmless, attacks)),
  };
}

/** Returns the increase in log-odds per unit of the sum: fitted around a threshold at which they are zero. */
export function slopeAt(threshold: number, harmless: readonly number[], attacks: readonly number[]): number {
  // Attacks are weighted so that the curve passes one half at the threshold; then the likeliest slope is searched.
  let best = { slope: 1, loss: Number.POSITIVE_INFINITY };
  for (let slope = 0.2; slope <= 2; slope += 0.02) {
    const share = priorAt(threshold, slope, harmless, attacks);
    const loss =
      meanLoss(harmless, (sum) => -slope * (sum - threshold)) +
      share * meanLoss(attacks, (sum) => slope * (sum - threshold));
    if (loss < best.loss) best = { slope, loss };
  }
  return best.slope;
}

/** Returns the weight of all attacks relative to harmless texts at which expected and actual numbers are equal. */
function priorAt(
  threshold: number,
  slope: number,
  harmless: readonly number[],
  attacks: readonly number[],
): number {
  const chance = (sum: number): number => 1 / (1 + Math.exp(-slope * (sum - threshold)));
  const mean = (list: readonly number[]): number =>
    list.reduce((sum, one) => sum + chance(one), 0) / list.length;
  return mean(harmless) / Math.max(1e-6, 1 - mean(attacks));
}

function meanLoss(sums: readonly number[], logOdds: (sum: number) => number): number {
  return sums.reduce((sum, one) => sum + Math.log1p(Math.exp(-logOdds(one))), 0) / sums.length;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
