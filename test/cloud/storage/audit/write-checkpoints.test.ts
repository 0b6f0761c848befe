import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { openStorage } from '../../../../apps/cloud/src/storage/open-storage.ts';
import { createTestEnv, MASTER_KEY, makeRecord, NOON } from '../../../conformance/storage-engines.ts';

async function openTestStorage(t: TestContext) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'csg-checkpoints-'));
  const storage = await openStorage({ dataDir, masterKey: MASTER_KEY, now: () => NOON });
  t.after(async () => {
    await storage.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const run = (text: string) => {
    const database = new SqliteDatabase(path.join(dataDir, 'gateway.sqlite'));
    database.exec(text);
    database.close();
  };
  const numbers = async (id: string) =>
    (await storage.audit.verify(id)).checkpoints.map(({ number, seq }) => [number, seq]);
  const record = (id: string) => storage.decisions.record(makeRecord(id));
  return { storage, run, numbers, record };
}

test('a chain has a checkpoint for each time it has grown, numbered from 1', async (t) => {
  const { storage, numbers, record } = await openTestStorage(t);
  assert.equal(await storage.audit.checkpoint('org_none'), 0);
  assert.equal(await storage.audit.checkpoint(), 0);
  await record('org_b');
  await record('org_a');
  assert.equal(await storage.audit.checkpoint('org_a'), 1);
  assert.equal(await storage.audit.checkpoint('org_a'), 0);
  assert.deepEqual(await numbers('org_a'), [[1, 1]]);
  await record('org_a');
  assert.equal(await storage.audit.checkpoint(), 2);
  assert.equal(await storage.audit.checkpoint(), 0);
  assert.deepEqual(await numbers('org_a'), [
    [1, 1],
    [2, 2],
  ]);
  assert.deepEqual(await numbers('org_b'), [[1, 1]]);
});

test('the checkpoint goes to the audit target of its organization, and nowhere without one', async (t) => {
  const { storage, record } = await openTestStorage(t);
  const [a, b] = [await createTestEnv(storage), await createTestEnv(storage)].map(
    (env) => env.organizationId,
  ) as [string, string];
  await storage.endpoints.put(a, 'audit', null, { url: 'https://audit.example.com/', isEnabled: true });
  for (const id of [a, b]) {
    await record(id);
    await storage.audit.checkpoint(id);
  }
  assert.deepEqual(await storage.deliveries.list(b), []);
  const [delivery, ...others] = await storage.deliveries.list(a);
  assert.deepEqual(others, []);
  assert.deepEqual(
    [delivery?.event, delivery?.projectId, delivery?.eventId],
    ['audit.checkpoint', null, null],
  );
  const { data, ...payload } = JSON.parse(delivery!.payload);
  assert.deepEqual(payload, {
    event: 'audit.checkpoint',
    timestamp: new Date(NOON).toISOString(),
    organization_id: a,
  });
  assert.deepEqual([data.type, data.organization_id, data.number, data.seq], ['checkpoint', a, 1, 1]);
});

test('a head that this service did not write is not signed', async (t) => {
  const { storage, run, numbers, record } = await openTestStorage(t);
  await record('org_a');
  run(`update audit_heads set hash = zeroblob(32) where organization_id = 'org_a'`);
  assert.equal(await storage.audit.checkpoint('org_a'), 0);
  assert.deepEqual(await numbers('org_a'), []);
});
