/**
 * `npm test` runs a part of each slow suite. The commit chooses the part, so that one revision always runs the same
 * one, and over commits everything is run; `npm run nightly` sets LONG=1, which runs all of it. docs/nightly.md lists the
 * suites. `npm test -- --seed=N` (CSG_SEED) chooses another part.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { seedOfRevision } from '../../scripts/testing/seed.ts';
import { seededRandom } from './random.ts';

const isWhole = process.env['LONG'] === '1';
const seed = seedOfRevision(path.resolve(import.meta.dirname, '../..'));

// A failed test prints the seed that repeats it.
process.once('exit', (code) => {
  if (code !== 0)
    console.error(
      `The seed of this run is ${seed}: npm test -- --seed=${seed}${isWhole ? ' with LONG=1' : ''}`,
    );
});

export { isWhole };

/** A number of random cases to try. */
export function cases(inPart: number, whole: number): number {
  return isWhole ? whole : inPart;
}

/** The seed of a suite's random choices, another one for each suite and revision. */
export function seedFor(suite: string): number {
  return createHash('sha256').update(`${seed} ${suite}`).digest().readInt32BE();
}

/** Whether this run includes something that `npm test` includes in one of `oneIn` revisions. */
export function isInPart(what: string, oneIn: number): boolean {
  return isWhole || (seedFor(what) >>> 0) % oneIn === 0;
}

/** So many of the items, in their order; all of them in the whole suite. */
export function partOf<Item>(what: string, items: readonly Item[], count: number): Item[] {
  if (isWhole || items.length <= count) return [...items];
  const random = seededRandom(seedFor(what));
  const order = items.map((_, index) => index);
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  const chosen = new Set(order.slice(0, count));
  return items.filter((_, index) => chosen.has(index));
}
