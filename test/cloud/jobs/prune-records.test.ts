import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startPruning } from '../../../apps/cloud/src/jobs/prune-records.ts';
import { createHandClock } from '../../support/clock.ts';
import { startGateway } from '../../support/gateway.ts';

test('idempotency records are gone once they are a day old, and not before', async () => {
  const clock = createHandClock();
  const gateway = await startGateway({ clock });
  const { idempotency } = gateway.storage;
  const begin = () =>
    idempotency.begin({ keyId: 'key_1', key: 'k', fingerprint: 'f', leaseMs: 60_000, nowMs: clock.now() });
  const started = await begin();
  assert.ok(started.state === 'started');
  await started.lease.finish({ status: 200, headers: {}, body: Buffer.from('{}') });

  const failures: unknown[] = [];
  const log = { error: (fields: object) => void failures.push(fields) };
  clock.advance(24 * 3_600_000 - 1);
  startPruning({ storage: gateway.storage, now: clock.now, log }).stop();
  assert.equal((await begin()).state, 'done');
  clock.advance(1);
  startPruning({ storage: gateway.storage, now: clock.now, log }).stop();
  assert.equal((await begin()).state, 'started');
  assert.deepEqual(failures, []);
  await gateway.close();
});
