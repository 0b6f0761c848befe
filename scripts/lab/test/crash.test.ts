import assert from 'node:assert/strict';
import { test } from 'node:test';
import { POINTS } from '../../../test/support/crash/points.ts';
import { readPlan, tableOf } from '../crash.ts';

test('there are twelve points for each of five flows', () => {
  const flows = Map.groupBy(POINTS, ({ flow }) => flow);
  for (const [flow, points] of flows) assert.equal(new Set(points.map(({ name }) => name)).size, 12, flow);
  assert.equal(flows.size, 5);
});

test('the command parses its options, and rejects others with a message', () => {
  assert.deepEqual(readPlan(['--rounds', '1000', '--seed', '7', '--database', 'sqlite'], 0), {
    engines: ['sqlite'],
    rounds: 1000,
    from: 0,
    seed: 7,
  });
  assert.deepEqual(readPlan([], 1_000_005), {
    engines: ['sqlite', 'postgres'],
    rounds: 60,
    from: 0,
    seed: 5,
  });
  assert.throws(() => readPlan(['--rounds', 'many'], 0), /must be integers/);
  assert.throws(() => readPlan(['--database', 'mysql'], 0), /sqlite, postgres or both/);
});

test('the table has a line for each point and a sum', () => {
  const [point] = POINTS;
  assert.ok(point !== undefined);
  const lost = { kind: 'lost', what: 'an event' } as const;
  const lines = tableOf([
    { round: 0, engine: 'sqlite', point, faults: [] },
    { round: 60, engine: 'sqlite', point, faults: [lost] },
  ]).split('\n');
  assert.equal(lines.length, POINTS.length + 2);
  assert.match(lines[1] ?? '', /^request +half of it has come +2 +1 +0 +0$/);
  assert.match(lines.at(-1) ?? '', /^ +total +2 +1 +0 +0$/);
});
