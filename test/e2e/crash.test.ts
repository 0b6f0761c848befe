/** One point of each flow, on one of the databases; the nightly run kills at every point, on both. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engineMissing } from '../support/crash/engines.ts';
import { POINTS } from '../support/crash/points.ts';
import { runRounds } from '../support/crash/run-rounds.ts';
import { partOf, seedFor } from '../support/part.ts';

const flows = Map.groupBy(POINTS.keys(), (round) => POINTS[round]!.flow);
const ENGINES = partOf('engine of the kills', ['sqlite', 'postgres'] as const, 1);

for (const engine of ENGINES) {
  const chosen = [...flows].flatMap(([flow, rounds]) => partOf(`kill in ${flow} on ${engine}`, rounds, 1));
  describe(`kill -9 at named points, on ${engine}`, { skip: engineMissing[engine] }, () => {
    test(`${chosen.length} rounds: nothing lost, nothing doubled`, async () => {
      const seed = seedFor('kills') >>> 1;
      let run = 0;
      for await (const { round, point, faults } of runRounds({ engine, rounds: chosen, seed })) {
        assert.deepEqual(faults, [], `round ${round}, ${point.flow}: ${point.name}`);
        run++;
      }
      assert.equal(run, chosen.length);
    });
  });
}
