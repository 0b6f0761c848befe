import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listVerifications } from '../../../../apps/cloud/src/flows/audit/list-verifications.ts';
import { createChainVerifier } from '../../../../apps/cloud/src/flows/audit/verify-chains.ts';
import type { Storage } from '../../../../apps/cloud/src/storage/storage.ts';
import { StorageError } from '../../../../apps/cloud/src/storage/storage-error.ts';
import { openAccountTestEnv } from '../../../support/account-test-env.ts';

const LATER_MS = 6 * 60_000;

test('runs are listed with their state: one without news for minutes was interrupted', async (t) => {
  const { storage, clock, addPerson } = await openAccountTestEnv(t);
  const { organizationId } = await addPerson();
  const list = async () =>
    (await listVerifications({ storage, clock }, organizationId)).map((run) => [
      run.state,
      run.startedBy,
      run.rowsRead,
      run.rowsTotal,
    ]);
  const runs = storage.auditVerifications;
  const id = await runs.start(organizationId, 'usr_a');
  assert.deepEqual(await list(), [['running', 'usr_a', 0, null]]);
  await runs.progress(organizationId, id, { rows: 10_000, of: 25_000 });
  assert.deepEqual(await list(), [['running', 'usr_a', 10_000, 25_000]]);
  clock.advance(LATER_MS);
  assert.deepEqual(await list(), [['interrupted', 'usr_a', 10_000, 25_000]]);
});

test('a verification is recorded with its result, and its failure too', async (t) => {
  const { storage, clock, addPerson } = await openAccountTestEnv(t);
  const { organizationId } = await addPerson();
  for (let n = 0; n < 3; n++)
    await storage.audit.append({ organizationId, kind: 'key_created', actor: 'a', subject: 's', data: {} });
  const { checked } = await createChainVerifier(storage, null).verify(organizationId, 'system');
  clock.advance(1);
  const unreadable: Storage['audit'] = {
    ...storage.audit,
    verify: () => Promise.reject(new StorageError('unavailable', 'The database cannot be used.')),
  };
  const failing = createChainVerifier({ ...storage, audit: unreadable }, null);
  await assert.rejects(failing.verify(organizationId, 'usr_a'), { code: 'unavailable' });
  const listed = await listVerifications({ storage, clock }, organizationId);
  assert.deepEqual(
    listed.map((run) => [run.state, run.startedBy, run.rowsRead, run.endedAtMs !== null]),
    [
      ['failed', 'usr_a', 0, true],
      ['valid', 'system', checked, true],
    ],
  );
});
