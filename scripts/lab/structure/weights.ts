import { STRUCTURE_SIZE } from './features.ts';
import type { StructureWeights } from './score-structure.ts';
import stored from './weights-structure.json' with { type: 'json' };

/** Share of the other models’ log-odds that is added, within limits: a quiet order has no odd words. */
const SHARE_OF_OTHER = 0.3;
const LEAST_OTHER = -6;
const MOST_OTHER = 4;

export interface StructureModel extends StructureWeights {
  /**
   * `threshold`: the sum of this reading and a share of the others' at which one text in two has a planted order.
   * `slope`: how fast the log-odds grow with the sum.
   */
  readonly threshold: number;
  readonly slope: number;
}

function load({ values, ...rest }: typeof stored): StructureModel {
  const bytes = atob(values);
  const table = new Int8Array(STRUCTURE_SIZE);
  for (let i = 0; i < table.length && i < bytes.length; i++) table[i] = bytes.charCodeAt(i);
  return { ...rest, values: table };
}

export const STRUCTURE_MODEL: StructureModel = load(stored);

/** Returns the sum of this reading and a share of what the other models say of the text. */
export function structureSum(score: number, others: number): number {
  const known = Math.max(LEAST_OTHER, Math.min(MOST_OTHER, others));
  return score + SHARE_OF_OTHER * known;
}

/** Returns the log-odds of a planted order, calibrated on real texts. */
export function structureLogOdds(
  { slope, threshold }: Pick<StructureModel, 'slope' | 'threshold'>,
  score: number,
  others: number,
): number {
  return slope * (structureSum(score, others) - threshold);
}
