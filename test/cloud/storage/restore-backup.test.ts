import assert from 'node:assert/strict';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { openStorage } from '../../../apps/cloud/src/storage/open-storage.ts';
import { restoreBackup } from '../../../apps/cloud/src/storage/restore-backup.ts';
import { MASTER_KEY, makeRecord, NOON } from '../../conformance/storage-engines.ts';

const CHECKPOINTS = 'audit-checkpoints.jsonl';
const open = (dataDir: string) => openStorage({ dataDir, masterKey: MASTER_KEY, now: () => NOON });

test('a copy with its log is restored whole, and what it replaces is kept with its checkpoints', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'csg-restore-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const dataDir = path.join(folder, 'data');
  const copied = path.join(folder, 'copied');
  const storage = await open(dataDir);
  await storage.decisions.record(makeRecord('org_a'));
  await storage.audit.checkpoint('org_a');
  // Copied by hand while a process uses it: the last rows are only in the log.
  cpSync(dataDir, copied, { recursive: true });
  assert.ok(statSync(path.join(copied, 'gateway.sqlite-wal')).size > 0);
  // Whoever copied it let others read it.
  for (const name of readdirSync(copied)) chmodSync(path.join(copied, name), 0o644);
  await storage.decisions.record(makeRecord('org_a'));
  await storage.audit.checkpoint('org_a');
  await storage.close();
  const newer = readFileSync(path.join(dataDir, CHECKPOINTS), 'utf8');

  const replaced = await restoreBackup({ folder: copied, dataDir, nowMs: NOON });
  assert.ok(replaced !== null && existsSync(replaced));
  assert.equal(readFileSync(path.join(replaced, CHECKPOINTS), 'utf8'), newer);
  assert.deepEqual(readdirSync(dataDir).sort(), [CHECKPOINTS, 'gateway.sqlite', path.basename(replaced)]);
  for (const name of [CHECKPOINTS, 'gateway.sqlite'])
    assert.equal(statSync(path.join(dataDir, name)).mode & 0o777, 0o600, name);
  const restored = await open(dataDir);
  const { valid, events_checked } = await restored.audit.verify('org_a');
  assert.deepEqual({ valid, events_checked }, { valid: true, events_checked: 1 });
  await restored.close();
});
