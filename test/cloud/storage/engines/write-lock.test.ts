import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWriteLock } from '../../../../apps/cloud/src/storage/engines/write-lock.ts';
import { StorageError } from '../../../../apps/cloud/src/storage/storage-error.ts';

test('has one holder at a time, first come, first served', async () => {
  const lock = createWriteLock(10_000);
  const order: number[] = [];
  let holders = 0;
  await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      await lock.acquire();
      holders += 1;
      assert.equal(holders, 1);
      assert.equal(lock.tryAcquire(), false);
      await Promise.resolve();
      order.push(n);
      holders -= 1;
      lock.release();
    }),
  );
  assert.deepEqual(
    order,
    [...order].sort((a, b) => a - b),
  );
  assert.equal(lock.tryAcquire(), true);
});

test('rejects a caller that waits too long, and does not disturb the others', async () => {
  const lock = createWriteLock(1);
  assert.equal(lock.tryAcquire(), true);
  await assert.rejects(
    lock.acquire(),
    (error: unknown) => error instanceof StorageError && error.code === 'unavailable',
  );
  lock.release();
  await lock.acquire();
  assert.equal(lock.tryAcquire(), false);
});
