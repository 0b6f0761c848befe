import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  loadMasterKey,
  loadPreviousKeys,
  parseMasterKey,
} from '../../../apps/cloud/src/config/master-key.ts';

test('creates the key with mode 0600 on the first start, and reads it on the second', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'csg-key-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const dataDir = join(folder, 'deep', 'data');
  const first = loadMasterKey({ dataDir });
  assert.equal(first.length, 32);
  assert.deepEqual(loadMasterKey({ dataDir }), first);
  assert.equal(statSync(join(dataDir, 'master.key')).mode & 0o777, 0o600);
  assert.equal(statSync(dataDir).mode & 0o777, 0o700, 'and no other user may list its folder');
  assert.deepEqual(readdirSync(dataDir), ['master.key'], 'no temporary file is left behind');
});

test('prefers the key of the environment, as hex or base64, to the file', () => {
  const bytes = Buffer.alloc(32, 7);
  assert.deepEqual(loadMasterKey({ key: bytes.toString('hex'), dataDir: '/nowhere' }), bytes);
  assert.deepEqual(parseMasterKey(` ${bytes.toString('base64')}\n`), bytes);
  assert.throws(() => parseMasterKey('short'), /32 bytes/);
});

test('reads previous keys separated by commas or lines, and names a bad one by position, never by value', () => {
  const folder = mkdtempSync(join(tmpdir(), 'csg-key-'));
  try {
    const keys = [1, 2, 3].map((byte) => Buffer.alloc(32, byte));
    const file = join(folder, 'previous');
    writeFileSync(file, `${keys[2]!.toString('hex')}\r\n\n`);
    assert.deepEqual(
      loadPreviousKeys({ keys: `${keys[0]!.toString('base64')}, ${keys[1]!.toString('hex')},`, file }),
      keys,
    );
    assert.deepEqual(loadPreviousKeys({}), []);
    assert.throws(
      () => loadPreviousKeys({ keys: `${keys[0]!.toString('hex')},hunter2` }),
      (error: Error) =>
        /^GATEWAY_MASTER_KEY_PREVIOUS, key 2: /.test(error.message) && !/hunter2/.test(error.message),
    );
    assert.throws(() => loadPreviousKeys({ file: join(folder, 'nowhere') }), /ENOENT/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
