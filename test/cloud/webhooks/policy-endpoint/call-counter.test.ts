import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCallCounter } from '../../../../apps/cloud/src/webhooks/policy-endpoint/call-counter.ts';

test('what could not be written is written the next time, with what came since', async () => {
  const written: unknown[] = [];
  let isBroken = true;
  let nowMs = 10;
  const counter = createCallCounter({
    clock: { now: () => nowMs },
    storage: {
      endpoints: {
        async addCalls(calls: readonly unknown[]) {
          if (isBroken) throw new Error('The database is gone.');
          written.push(...calls);
        },
      } as never,
    },
  });
  counter.note('pep_a');
  await assert.rejects(counter.flush());
  nowMs = 20;
  counter.note('pep_a');
  isBroken = false;
  await counter.flush();
  await counter.flush();
  assert.deepEqual(written, [{ endpointId: 'pep_a', succeeded: 2, lastSuccessAtMs: 20 }]);
});
