import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { returnMemory } from '../../../apps/desktop/src/supervisor/return-memory.ts';

test('memory is returned once after the start and once after each load, never during a load', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let requests = 0;
  let collected = 0;
  returnMemory({ activity: () => requests, collect: () => collected++ });
  const pass = (checks: number): number => {
    for (let i = 0; i < checks; i++) t.mock.timers.tick(15_000);
    return collected;
  };
  assert.equal(pass(1), 1, 'after the start');
  assert.equal(pass(10), 1, 'idle: nothing new to return');
  for (let i = 0; i < 5; i++) {
    requests += 100;
    assert.equal(pass(1), 1, 'under load');
  }
  assert.equal(pass(1), 2, 'after the load');
  assert.equal(pass(10), 2);
});

test('with the flags of the proxy a process returns the space of its short-lived objects', () => {
  const source = (name: string): string =>
    path.resolve(import.meta.dirname, `../../../apps/desktop/src/supervisor/${name}.ts`);
  // Lists that live for a while fill that space, as a load does.
  const program = `
    import { collectAll } from ${JSON.stringify(source('return-memory'))};
    import { getHeapSpaceStatistics } from 'node:v8';
    const newSpace = () =>
      getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size;
    let alive = [];
    for (let i = 0; i < 3_000_000; i++) {
      alive.push({ i });
      if (alive.length > 200_000) alive = [];
    }
    alive = [];
    const before = newSpace();
    collectAll();
    console.log(JSON.stringify({ before, after: newSpace() }));
  `;
  const flags = ['--expose-gc', '--max-semi-space-size=8', '--input-type=module'];
  const output = execFileSync(process.execPath, [...flags, '-e', program], { encoding: 'utf8' });
  const { before, after } = JSON.parse(output) as { readonly before: number; readonly after: number };
  assert.ok(before >= 8 * 1024 * 1024, `${before}`);
  assert.ok(after <= 4 * 1024 * 1024, `${after}`);
});
