/** One point of each flow, each on one of the databases; the nightly run kills at every point, on both. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type EngineName, engineMissing } from '../support/crash/engines.ts';
import { POINTS } from '../support/crash/points.ts';
import { runRounds } from '../support/crash/run-rounds.ts';
import { partOf, seedFor } from '../support/part.ts';

interface Kill {
  readonly round: number;
  readonly engine: EngineName;
}

const flows = Map.groupBy(POINTS.keys(), (round) => POINTS[round]!.flow);
const kills = [...flows].flatMap(([flow, rounds]) => {
  const all = rounds.flatMap((round): Kill[] => [
    { round, engine: 'sqlite' },
    { round, engine: 'postgres' },
  ]);
  return partOf(`kill in ${flow}`, all, 1);
});

for (const [engine, chosen] of Map.groupBy(kills, (kill) => kill.engine)) {
  describe(`kill -9 at named points, on ${engine}`, { skip: engineMissing[engine] }, () => {
    test(`${chosen.length} rounds: nothing lost, nothing doubled`, async () => {
      const seed = seedFor('kills') >>> 1;
      const rounds = chosen.map(({ round }) => round);
      let run = 0;
      for await (const { round, point, faults } of runRounds({ engine, rounds, seed })) {
        assert.deepEqual(faults, [], `round ${round}, ${point.flow}: ${point.name}`);
        run++;
      }
      assert.equal(run, rounds.length);
    });
  });
}
