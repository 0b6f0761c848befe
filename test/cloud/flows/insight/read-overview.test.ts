import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOverview } from '../../../../apps/cloud/src/flows/insight/read-overview.ts';
import { makeKey } from '../../../../apps/cloud/src/storage/key-format.ts';
import type { SecurityEvent } from '../../../../apps/cloud/src/storage/storage.ts';
import { makeRecord } from '../../../conformance/storage-engines.ts';
import { openAccountTestEnv } from '../../../support/account-test-env.ts';

const HOUR_MS = 3_600_000;

async function openOverview(t: Parameters<typeof openAccountTestEnv>[0]) {
  const env = await openAccountTestEnv(t);
  const { userId, organizationId } = await env.addPerson();
  const { id: projectId } = await env.storage.projects.insert(organizationId, { name: 'P' });
  // Half past twelve: the last bar is not over.
  env.clock.advance(HOUR_MS / 2);
  const record = (change: Partial<SecurityEvent>) =>
    env.storage.decisions.record(makeRecord(organizationId, { atMs: env.clock.now(), ...change }));
  const read = (span: '24h' | '7d' | '30d', ofProject?: string) =>
    readOverview(env.deps, organizationId, {
      span,
      ...(ofProject === undefined ? {} : { projectId: ofProject }),
    });
  return { ...env, userId, organizationId, projectId, record, read };
}

test('bars start at full hours in UTC and hold all decisions of the span', async (t) => {
  const { clock, record, read } = await openOverview(t);
  const now = clock.now();
  await record({ decision: 'block', threatType: 'jailbreak' });
  await record({ atMs: now - 23 * HOUR_MS - HOUR_MS / 2 });
  await record({ atMs: now - 23 * HOUR_MS - HOUR_MS / 2 - 1, decision: 'redact' });
  await record({ atMs: now - HOUR_MS, decision: 'redact', threatType: 'pii_leak' });
  const day = await read('24h');
  assert.deepEqual([day.buckets.length, day.bucket_s, day.span], [24, 3600, '24h']);
  assert.deepEqual([day.from, day.to], ['2026-11-19T13:00:00.000Z', '2026-11-20T13:00:00.000Z']);
  assert.deepEqual(day.buckets[0], { at: day.from, allow: 1, redact: 0, block: 0 });
  assert.deepEqual(day.buckets[22], { at: '2026-11-20T11:00:00.000Z', allow: 0, redact: 1, block: 0 });
  assert.deepEqual(day.buckets[23], { at: '2026-11-20T12:00:00.000Z', allow: 0, redact: 0, block: 1 });
  const week = await read('7d');
  assert.deepEqual([week.buckets.length, week.bucket_s, week.to], [28, 21_600, '2026-11-20T18:00:00.000Z']);
  assert.deepEqual([week.totals.requests, week.buckets.at(-1)?.block], [4, 1]);
  const month = await read('30d');
  assert.deepEqual([month.buckets.length, month.to], [30, '2026-11-21T00:00:00.000Z']);
  assert.equal(month.totals.requests, 4);
});

test('totals and threats are counted by decision, the most frequent threat first, of one project or all', async (t) => {
  const { projectId, record, read } = await openOverview(t);
  await record({ threatType: 'jailbreak' });
  await record({ decision: 'block', threatType: 'pii_leak', projectId });
  await record({ decision: 'redact', threatType: 'pii_leak', failed: { reason: 'x', failMode: 'open' } });
  await record({});
  const all = await read('24h');
  assert.deepEqual(all.totals, { requests: 4, allow: 2, redact: 1, block: 1, detected: 1, failed: 1 });
  assert.deepEqual(all.threats, [
    { type: 'pii_leak', allow: 0, redact: 1, block: 1, total: 2 },
    { type: 'jailbreak', allow: 1, redact: 0, block: 0, total: 1 },
  ]);
  const one = await read('24h', projectId);
  assert.deepEqual([one.totals.requests, one.totals.block, one.latency?.sample], [1, 1, 1]);
});

test('latencies are percentiles by nearest rank, in milliseconds', async (t) => {
  const { record, read } = await openOverview(t);
  assert.equal((await read('24h')).latency, null);
  await record({ latencyUs: 7_000 });
  assert.deepEqual((await read('24h')).latency, { p50_ms: 7, p95_ms: 7, p99_ms: 7, sample: 1 });
  await Promise.all(
    Array.from({ length: 199 }, (_, n) => record({ latencyUs: (n < 6 ? n + 1 : n + 2) * 1000 })),
  );
  assert.deepEqual((await read('24h')).latency, { p50_ms: 100, p95_ms: 190, p99_ms: 198, sample: 200 });
});

test('first steps and devices say what is there', async (t) => {
  const { storage, clock, userId, organizationId, projectId, record, read, addPerson } =
    await openOverview(t);
  const none = await read('24h');
  assert.deepEqual(none.first_steps, {
    ...{
      has_key_in_use: false,
      has_device: false,
      has_decision: false,
      has_colleague: false,
      has_preset: false,
    },
  });
  assert.deepEqual(
    [none.devices, none.waiting],
    [{}, { exceptions: 0, tool_requests: 0, tool_reviews: 0, texts: 0 }],
  );
  const device = (name: string) => storage.devices.insert(organizationId, { name, platform: 'linux' });
  await storage.devices.revoke(organizationId, (await device('Old')).id);
  assert.equal((await read('24h')).first_steps.has_device, false);
  await device('New');
  await device('Other');
  await storage.members.add(organizationId, (await addPerson()).userId, 'viewer');
  await storage.projects.update(organizationId, projectId, { strictnessLevel: 'strict' });
  await record({});
  const key = await storage.keys.insert({
    ...{ organizationId, projectId, userId, deviceId: null, name: 'k', permissions: [], expiresAtMs: null },
    key: makeKey(),
  });
  assert.equal((await read('24h')).first_steps.has_key_in_use, false);
  storage.keys.touchLastUsed(key.id, clock.now());
  const all = await read('24h');
  assert.deepEqual(all.devices, { revoked: 1, never_seen: 2 });
  assert.deepEqual(all.first_steps, {
    ...{ has_key_in_use: true, has_device: true, has_decision: true, has_colleague: true, has_preset: true },
  });
});
