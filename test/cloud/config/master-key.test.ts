import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadMasterKey, parseMasterKey } from '../../../apps/cloud/src/config/master-key.ts';

test('a first start makes the key with mode 0600, a second reads the same', () => {
  const dataDir = join(mkdtempSync(join(tmpdir(), 'csg-key-')), 'deep', 'data');
  const first = loadMasterKey({ dataDir });
  assert.equal(first.length, 32);
  assert.deepEqual(loadMasterKey({ dataDir }), first);
  assert.equal(statSync(join(dataDir, 'master.key')).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(dataDir), ['master.key'], 'no draft is left behind');
});

test('the environment wins over the file, as hex or base64', () => {
  const bytes = Buffer.alloc(32, 7);
  assert.deepEqual(loadMasterKey({ key: bytes.toString('hex'), dataDir: '/nowhere' }), bytes);
  assert.deepEqual(parseMasterKey(` ${bytes.toString('base64')}\n`), bytes);
  assert.throws(() => parseMasterKey('short'), /32 bytes/);
});
