import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type EngineName, engineMissing } from './engines.ts';
import { POINTS } from './points.ts';
import { runRounds } from './run-rounds.ts';

const SEED = 20_261_121;
/** The number of points in each flow. */
const EVERY = 12;
const FIRST: Readonly<Record<EngineName, number>> = { sqlite: 2, postgres: 9 };

/** Two points of each flow, one on each engine; `npm run crash` runs all of them, as often as needed. */
export function testRounds(engine: EngineName): void {
  const rounds = [...POINTS.keys()].filter((round) => round % EVERY === FIRST[engine]);
  describe(`kill -9 at named points, on ${engine}`, { skip: engineMissing[engine] }, () => {
    test(`${rounds.length} rounds: nothing lost, nothing doubled`, async () => {
      let run = 0;
      for await (const { round, point, faults } of runRounds({ engine, rounds, seed: SEED })) {
        assert.deepEqual(faults, [], `round ${round}, ${point.flow}: ${point.name}`);
        run++;
      }
      assert.equal(run, rounds.length);
    });
  });
}
