import { type Accumulator, accumulatorOf, copyOf } from './stream-accumulators.ts';

/** Maximum length of a non-numeric index that is used as a label. */
const MAX_LABEL = 64;

/** Label for items without an index, joined in order. */
export const NO_INDEX = 'no index';

/** Returns the accumulators that an item continues. One that ignores the index is added once there are two texts. */
export function itemAccumulators(list: Accumulator, index: unknown, at: number): Accumulator[] {
  const itemAt = (one: string | number): Accumulator => accumulatorOf(list, one, 'assistant');
  if (typeof index === 'number') return [itemAt(index)];
  const indexes = indexesOf(index, at);
  const first = list.inner?.get(0);
  const others = (list.inner?.size ?? 0) - (first === undefined ? 0 : 1);
  if (others > 0 || indexes.size > 1 || !indexes.has(0)) {
    if (first !== undefined && !list.inner!.has(NO_INDEX)) list.inner!.set(NO_INDEX, copyOf(first));
    indexes.add(NO_INDEX);
  }
  return Array.from(indexes, itemAt);
}

/**
 * Returns the indexes that a client may use for an item without a numeric index. For a missing one: its position, or
 * zero; for a non-number: its label, the number it spells, or its position.
 */
function indexesOf(index: unknown, at: number): Set<string | number> {
  if (index === undefined || index === null) return new Set([at, 0]);
  const label = `index ${JSON.stringify(index)}`.slice(0, MAX_LABEL);
  const spelled = typeof index === 'string' ? Number(index) : Number.NaN;
  return new Set([`place ${at}`, label, Number.isNaN(spelled) ? label : spelled]);
}
