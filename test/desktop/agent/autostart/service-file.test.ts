import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import {
  removeServiceFile,
  writeServiceFile,
} from '../../../../apps/desktop/src/agent/autostart/service-file.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('overwriting a file makes it private, and removing deletes it', () => {
  const folder = tempFolder('service-file');
  const file = path.join(folder, 'deep/agent.service');
  assert.equal(writeServiceFile(file, 'first'), null);
  writeFileSync(path.join(folder, 'open'), '', { mode: 0o644 });
  assert.equal(writeServiceFile(path.join(folder, 'open'), 'second'), null);
  assert.equal(readFileSync(path.join(folder, 'open'), 'utf8'), 'second');
  if (process.platform !== 'win32') assert.equal(statSync(path.join(folder, 'open')).mode & 0o777, 0o600);
  assert.equal(removeServiceFile(file), null);
  assert.equal(existsSync(file), false);
  assert.equal(removeServiceFile(file), null, 'a file that does not exist');
});

test('a path that cannot be written is reported in one sentence', () => {
  const folder = tempFolder('service-file');
  const inFile = path.join(folder, 'a-file');
  writeFileSync(inFile, '');
  const file = path.join(inFile, 'agent.service');
  assert.match(
    writeServiceFile(file, '') ?? '',
    /agent\.service cannot be changed \((?:ENOTDIR|EEXIST)\)\.$/,
  );
  assert.match(removeServiceFile(folder) ?? '', /cannot be changed \(\w+\)\./);
});
