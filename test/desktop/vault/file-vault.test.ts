import assert from 'node:assert/strict';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { createFileVault } from '../../../apps/desktop/src/vault/file-vault.ts';
import { tempFolder } from '../../support/temp-folder.ts';

test('files are readable by their owner only, and gone after removal', async () => {
  const folder = path.join(tempFolder('vault'), 'state');
  const vault = createFileVault(folder);
  assert.deepEqual(await vault.read('device-credential'), { kind: 'missing' });
  assert.deepEqual(await vault.write('device-credential', 'secret'), { kind: 'ok' });
  assert.deepEqual(await vault.read('device-credential'), { kind: 'ok', secret: 'secret' });
  assert.equal(statSync(path.join(folder, 'device-credential.secret')).mode & 0o777, 0o600);
  assert.equal(statSync(folder).mode & 0o777, 0o700, 'and no other user may list them');
  await vault.remove('device-credential');
  assert.deepEqual(readdirSync(folder), []);
});

test('a path that is not a folder is unavailable', async () => {
  const file = path.join(tempFolder('vault'), 'file');
  writeFileSync(file, '');
  const outcome = await createFileVault(file).write('issuer-key', 'x');
  assert.equal(outcome.kind, 'unavailable');
});
