import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type EngineName, engineMissing } from './engines.ts';
import { POINTS } from './points.ts';
import { runRounds } from './run-rounds.ts';

const SEED = 20_261_121;
/** Each with a database of its own, and short enough for the time limit of a test on a slow machine. */
const STRETCHES = 2;
/** Of so many points in a row one is tested on each engine. A multiple of it is the number of points of a flow. */
const EVERY = 6;
const FIRST: Readonly<Record<EngineName, number>> = { sqlite: 2, postgres: 5 };

/** Four points of each flow, two on each engine; `npm run crash` has all of them, as often as one likes. */
export function testRounds(engine: EngineName): void {
  const own = [...POINTS.keys()].filter((round) => round % EVERY === FIRST[engine]);
  describe(`kill -9 at named points, on ${engine}`, {
    skip: engineMissing[engine],
    concurrency: STRETCHES,
  }, () => {
    for (let stretch = 0; stretch < STRETCHES; stretch++) {
      const rounds = own.filter((_, index) => index % STRETCHES === stretch);
      test(`${rounds.length} rounds: nothing lost, nothing doubled (${stretch + 1} of ${STRETCHES})`, async () => {
        let run = 0;
        for await (const { round, point, faults } of runRounds({ engine, rounds, seed: SEED })) {
          assert.deepEqual(faults, [], `round ${round}, ${point.flow}: ${point.name}`);
          run++;
        }
        assert.equal(run, rounds.length);
      });
    }
  });
}
