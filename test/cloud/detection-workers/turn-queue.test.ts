import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createTurnQueue } from '../../../apps/cloud/src/detection-workers/turn-queue.ts';

const A = { organizationId: 'a', deviceId: null };
const B = { organizationId: 'b', deviceId: null };

describe('jobs of one turn', () => {
  test('run together at its end, in order, before any of their continuations', async () => {
    const queue = createTurnQueue(100);
    const seen: string[] = [];
    const job = (name: string): Promise<void> =>
      queue.run(A, 1, () => void seen.push(name)).then(() => void seen.push(`after ${name}`));
    const both = Promise.all([job('one'), job('two')]);
    assert.deepEqual(seen, [], 'no job runs synchronously');
    await both;
    assert.deepEqual(seen, ['one', 'two', 'after one', 'after two']);
  });

  test('wait for the next turn once the turn is full; a large job is never left waiting', async () => {
    const queue = createTurnQueue(10);
    const seen: number[] = [];
    for (const size of [6, 6, 1, 50, 1]) void queue.run(A, size, () => seen.push(size));
    await nextTurn();
    assert.deepEqual(seen, [6, 6]);
    void queue.run(A, 2, () => seen.push(2));
    await nextTurn();
    assert.deepEqual(seen, [6, 6, 1, 50]);
    await nextTurn();
    assert.deepEqual(seen, [6, 6, 1, 50, 1, 2], 'first come, first served');
  });

  test('of another organization wait for one turn, however many jobs the first organization has', async () => {
    const queue = createTurnQueue(10);
    const seen: string[] = [];
    for (let n = 0; n < 20; n++) void queue.run(A, 10, () => seen.push(`a${n}`));
    await nextTurn();
    void queue.run(B, 10, () => seen.push('b'));
    await nextTurn();
    await nextTurn();
    assert.deepEqual(seen.slice(0, 3), ['a0', 'b', 'a1']);
  });

  test('that throw reject only their own promise', async () => {
    const queue = createTurnQueue(100);
    const bad = queue.run(A, 1, () => {
      throw new Error('cannot be read');
    });
    const good = queue.run(A, 1, () => 'read');
    await assert.rejects(bad, { message: 'cannot be read' });
    assert.equal(await good, 'read');
  });
});
