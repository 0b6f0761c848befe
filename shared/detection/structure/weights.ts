import stored from '../model/weights-structure.json' with { type: 'json' };
import { ATTACK } from '../operating-points/attacks.ts';
import { STRUCTURE_SIZE } from './features.ts';
import type { StructureWeights } from './score-structure.ts';

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
  const known = Math.max(ATTACK.structureLeastOther, Math.min(ATTACK.structureMostOther, others));
  return score + ATTACK.structureShareOfOther * known;
}

/** Returns the log-odds of a planted order, calibrated on real texts. */
export function structureLogOdds(
  { slope, threshold }: Pick<StructureModel, 'slope' | 'threshold'>,
  score: number,
  others: number,
): number {
  return slope * (structureSum(score, others) - threshold);
}
