import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestEnv, makeRecord, NOON, onEveryEngine } from '../../../conformance/storage-engines.ts';

const DAY_MS = 86_400_000;

onEveryEngine('deletion of old events', (engine) => {
  test('keeps to the days of each project, else to the default, and records nothing if nothing is deleted', async () => {
    const storage = await engine.open();
    const { organizationId, projectId: kept } = await createTestEnv(storage);
    const short = await storage.projects.insert(organizationId, { name: 'Short' });
    await storage.projects.update(organizationId, short.id, { retentionDays: 7 });
    await storage.projects.update(organizationId, kept, { retentionDays: null });
    const ages = [1, 8, 31, 400];
    for (const projectId of [kept, short.id, 'proj_deleted', null]) {
      for (const days of ages) {
        await storage.decisions.record(makeRecord(organizationId, { projectId, atMs: NOON - days * DAY_MS }));
      }
    }
    assert.equal(await storage.events.pruneExpired(NOON, 30), 3 + 2 + 2);
    const left = async () => {
      const { events } = await storage.events.page(organizationId, { limit: 100 });
      return events.map(({ projectId, atMs }) => [projectId, (NOON - atMs) / DAY_MS]);
    };
    const expected = [
      ...ages.map((days) => [kept, days]),
      [short.id, 1],
      ...['proj_deleted', null].flatMap((id) => [1, 8].map((days) => [id, days])),
    ];
    const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
    assert.deepEqual(sorted(await left()), sorted(expected));
    const rows = async () =>
      (await storage.audit.page(organizationId, { kind: 'events_deleted' })).rows.length;
    const before = await rows();
    assert.equal(await storage.events.pruneExpired(NOON, 30), 0);
    assert.equal(await rows(), before);
    assert.equal(before, 3);
  });
});
