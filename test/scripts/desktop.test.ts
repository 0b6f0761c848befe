import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { findElectron } from '../../scripts/desktop.ts';
import { tempFolder } from '../support/temp-folder.ts';

const SCRIPT = path.resolve(import.meta.dirname, '../../scripts/desktop.ts');

test('finds an unpacked Electron in the named folder', {
  skip: process.platform !== 'linux' && 'names of Linux',
}, () => {
  const dir = tempFolder('electron');
  assert.equal(findElectron({ ELECTRON_OVERRIDE_DIST_PATH: dir }).kind, 'missing');
  writeFileSync(path.join(dir, 'electron'), '');
  assert.deepEqual(findElectron({ ELECTRON_OVERRIDE_DIST_PATH: dir }), {
    kind: 'ok',
    file: path.join(dir, 'electron'),
  });
});

test('without the binary prints one sentence that says what to do, and exits with 1', () => {
  const nowhere = tempFolder('no-electron');
  const env = { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: nowhere };
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT], { env, encoding: 'utf8' });
  assert.equal(status, 1);
  assert.equal(stdout, '');
  assert.match(
    stderr,
    /^The Electron binary could not be downloaded .*"npm run agent -- run" protects this computer as well\.\n$/,
  );
});
