import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestEnv, onEveryEngine } from './storage-engines.ts';

onEveryEngine('Verifications of the audit log', (engine) => {
  test('are listed newest first, the latest 20, of one organization', async () => {
    let now = 1_000;
    const storage = await engine.open({ now: () => now });
    const runs = storage.auditVerifications;
    const [{ organizationId }, other] = [await createTestEnv(storage), await createTestEnv(storage)];
    const ids: string[] = [];
    for (let n = 0; n < 25; n++, now++) ids.unshift(await runs.start(organizationId, 'usr_a'));
    assert.deepEqual(
      (await runs.list(organizationId)).map(({ id }) => id),
      ids.slice(0, 20),
    );
    assert.deepEqual(await runs.list(other.organizationId), []);
  });

  test('have progress and one result, that of their organization', async () => {
    let now = 1_000;
    const storage = await engine.open({ now: () => now });
    const runs = storage.auditVerifications;
    const [{ organizationId }, other] = [await createTestEnv(storage), await createTestEnv(storage)];
    const id = await runs.start(organizationId, 'system');
    const read = async () => {
      const [run] = await runs.list(organizationId);
      return [run?.rowsRead, run?.rowsTotal, run?.seenAtMs, run?.endedAtMs, run?.outcome, run?.firstInvalid];
    };
    assert.deepEqual(await read(), [0, null, 1_000, null, null, null]);
    now = 2_000;
    await runs.progress(organizationId, id, { rows: 10, of: 30 });
    await runs.progress(other.organizationId, id, { rows: 11, of: 31 });
    assert.deepEqual(await read(), [10, 30, 2_000, null, null, null]);
    now = 3_000;
    await runs.end(organizationId, id, { outcome: 'invalid', firstInvalid: 7 });
    now = 4_000;
    await runs.end(organizationId, id, { outcome: 'valid', firstInvalid: null });
    assert.deepEqual(await read(), [30, 30, 3_000, 3_000, 'invalid', 7]);
  });

  test('that fail keep how far they came, and end with their organization', async () => {
    const storage = await engine.open();
    const runs = storage.auditVerifications;
    const { organizationId } = await createTestEnv(storage);
    const id = await runs.start(organizationId, 'system');
    await runs.progress(organizationId, id, { rows: 10, of: 30 });
    await runs.end(organizationId, id, { outcome: 'failed', firstInvalid: null });
    const [run] = await runs.list(organizationId);
    assert.deepEqual([run?.rowsRead, run?.rowsTotal, run?.outcome], [10, 30, 'failed']);
    await storage.transaction((s) => s.deletions.removeOrganization(organizationId));
    assert.deepEqual(await runs.list(organizationId), []);
  });
});
