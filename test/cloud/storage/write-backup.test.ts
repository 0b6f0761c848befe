import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { openStorage } from '../../../apps/cloud/src/storage/open-storage.ts';
import { StorageError } from '../../../apps/cloud/src/storage/storage-error.ts';
import { MASTER_KEY, makeRecord, NOON } from '../../conformance/storage-engines.ts';

const CHECKPOINTS = 'audit-checkpoints.jsonl';

async function openTestStorage(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), 'csg-backup-'));
  const dataDir = path.join(folder, 'data');
  const storage = await openStorage({ dataDir, masterKey: MASTER_KEY, now: () => NOON });
  t.after(async () => {
    await storage.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { storage, folder, dataDir };
}

const rejected = (message: RegExp) => (error: unknown) =>
  error instanceof StorageError && error.code === 'rejected' && message.test(error.message);

test('a backup has the checkpoints of its database, and lines that are none, for the owner alone', async (t) => {
  const { storage, folder, dataDir } = await openTestStorage(t);
  for (const organizationId of ['org_a', 'org_b']) {
    await storage.decisions.record(makeRecord(organizationId));
    await storage.audit.checkpoint(organizationId);
  }
  const file = path.join(dataDir, CHECKPOINTS);
  const [header, first, second] = readFileSync(file, 'utf8').trimEnd().split('\n');
  // Written while the database was being copied.
  const late = second!.replace('"number":1', '"number":2');
  writeFileSync(file, `${header}\n${first}\n{"torn":\n${second}\n${late}\n`);
  const target = path.join(folder, 'backup');
  await storage.backUp(target);
  assert.equal(
    readFileSync(path.join(target, CHECKPOINTS), 'utf8'),
    `${header}\n${first}\n{"torn":\n${second}\n`,
  );
  const modes = [target, path.join(target, 'gateway.sqlite'), path.join(target, CHECKPOINTS)];
  assert.deepEqual(
    modes.map((name) => statSync(name).mode & 0o777),
    [0o700, 0o600, 0o600],
  );
  const copy = await openStorage({ dataDir: target, masterKey: MASTER_KEY, now: () => NOON });
  assert.equal((await copy.audit.verify('org_a')).valid, true);
  await copy.close();
});

test('without a file of checkpoints there is none in the backup; one that cannot be read is an error', async (t) => {
  const { storage, folder, dataDir } = await openTestStorage(t);
  rmSync(path.join(dataDir, CHECKPOINTS), { force: true });
  await storage.backUp(path.join(folder, 'first'));
  assert.equal(existsSync(path.join(folder, 'first', CHECKPOINTS)), false);
  mkdirSync(path.join(dataDir, CHECKPOINTS));
  await assert.rejects(storage.backUp(path.join(folder, 'second')), /EISDIR/);
  rmSync(path.join(dataDir, CHECKPOINTS), { recursive: true });
});

test('a folder that is there, or that cannot be made, is rejected', async (t) => {
  const { storage, folder } = await openTestStorage(t);
  await assert.rejects(storage.backUp(folder), rejected(/already exists\. Name a new folder\.$/));
  await assert.rejects(
    storage.backUp(path.join(folder, 'a', 'b')),
    rejected(/cannot be created \(ENOENT\)\.$/),
  );
});
