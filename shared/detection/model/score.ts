import type { TokenizedText } from '../read/tokenized-text.ts';
import { BACK_SHIFT, type FeatureList, INDEX_MASK } from './feature-list.ts';
import type { ReadingModel } from './weights.ts';

export interface BestWindow {
  /** First and last unit. */
  readonly first: number;
  readonly last: number;
  /** Log-odds before the length of the text is taken into account. */
  readonly score: number;
}

/** The weights of a text's units. Borrowed from a workspace. */
export class UnitScores {
  /** Three sums per unit: of features within it, and of those whose first word is one and two units before it. */
  readonly sums: Int32Array;

  /** Has room for a piece of `size` UTF-16 units. */
  constructor(size: number) {
    this.sums = new Int32Array((size + 1) * 3);
  }

  /** Returns one unit's own score. Log-odds. */
  of(unit: number, model: ReadingModel): number {
    return this.sums[unit * 3]! * model.scale + model.bias;
  }

  /** Returns the units whose own score is above `gate`. */
  above(gate: number, units: number, model: ReadingModel): number[] {
    const { sums } = this;
    const least = (gate - model.bias) / model.scale;
    const found: number[] = [];
    for (let unit = 0; unit < units; unit++) if (sums[unit * 3]! > least) found.push(unit);
    return found;
  }
}

/**
 * Returns the strongest run of one to `model.window` units; fills `scores`. `reduction`: log-odds to subtract from each
 * unit's score.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the sums of every unit, without a call for each
export function bestWindow(
  reading: TokenizedText,
  list: FeatureList,
  model: ReadingModel,
  scores: UnitScores,
  reduction?: Float32Array,
): BestWindow {
  const { units } = reading;
  const { sums } = scores;
  sums.fill(0, 0, units * 3);
  if (reduction !== undefined) {
    for (let unit = 0; unit < units; unit++) sums[unit * 3] = -reduction[unit]! / model.scale;
  }
  sumEntries(list.entries, model.frames ? list.count : list.plain, model.values, sums);
  let best = Number.NEGATIVE_INFINITY;
  let first = 0;
  let last = 0;
  for (let unit = 0; unit < units; unit++) {
    const at = unit * 3;
    let score = sums[at]!;
    if (score > best) {
      best = score;
      first = last = unit;
    }
    if (model.window < 2 || unit < 1) continue;
    score += sums[at - 3]! + sums[at + 1]!;
    if (score > best) {
      best = score;
      first = unit - 1;
      last = unit;
    }
    if (model.window < 3 || unit < 2) continue;
    score += sums[at - 6]! + sums[at - 2]! + sums[at + 2]!;
    if (score > best) {
      best = score;
      first = unit - 2;
      last = unit;
    }
  }
  return { first, last, score: units === 0 ? Number.NEGATIVE_INFINITY : best * model.scale + model.bias };
}

/** Adds the weights of each unit's features to `sums`, by the distance of their first words. */
function sumEntries(entries: Int32Array, count: number, values: Int8Array, sums: Int32Array): void {
  const size = 1 << BACK_SHIFT;
  const mask = INDEX_MASK;
  let unit = 0;
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const entry = entries[i]!;
    if (entry < 0) {
      sums[unit]! += sum;
      sum = 0;
      unit = ~entry * 3;
    } else if (entry < size) sum += values[entry]!;
    else sums[unit + (entry >>> BACK_SHIFT)]! += values[entry & mask]!;
  }
  sums[unit]! += sum;
}

const FREE = 3;
const LONG = 10;

/**
 * Returns the log-odds by which a long text's threshold is raised, because many sentences contain something odd by
 * chance: 0 up to three sentences, `slope` per doubling beyond, and additionally `steep` per doubling beyond ten.
 */
export function lengthPenalty(sentences: number, model: Pick<ReadingModel, 'slope' | 'steep'>): number {
  if (sentences <= FREE) return 0;
  const penalty = model.slope * Math.log2(sentences / FREE);
  return sentences <= LONG ? penalty : penalty + model.steep * Math.log2(sentences / LONG);
}
