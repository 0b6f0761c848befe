import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import {
  enrollManaged,
  findManagedFile,
  managedFileProblem,
} from '../../../apps/desktop/src/main/managed-file.ts';
import { tempFolder } from '../../support/temp-folder.ts';

test('finds the file of device management; none is not an error', () => {
  const file = path.join(tempFolder('managed'), 'managed.json');
  const find = (platform: NodeJS.Platform) => findManagedFile(platform, { AGENT_MANAGED_FILE: file });
  for (const platform of ['linux', 'darwin', 'win32', 'freebsd'] as const) assert.equal(find(platform), null);
  writeFileSync(file, '{}');
  for (const platform of ['linux', 'darwin', 'win32', 'freebsd'] as const) {
    assert.deepEqual(find(platform), { path: file, isOwnChoice: true });
  }
  assert.equal(findManagedFile('linux', { AGENT_MANAGED_FILE: '' }), null);
});

const noCommand = async () => ({ code: null, stdout: '', stderr: 'ENOENT' });

test('Linux and macOS: a file that others than root can write is rejected', {
  skip: process.platform === 'win32' ? 'Windows has no owners of this kind' : false,
}, async () => {
  const problem = (file: string, isOwnChoice = false) =>
    managedFileProblem({ path: file, isOwnChoice }, 'linux', noCommand);
  assert.equal(await problem('/etc/passwd'), null, 'a file of root in a folder of root');
  const folder = path.join(tempFolder('managed'), 'made-by-a-user');
  mkdirSync(folder, { mode: 0o777 });
  chmodSync(folder, 0o777);
  const file = path.join(folder, 'managed.json');
  writeFileSync(file, '{}');
  chmodSync(file, 0o644);
  assert.match(
    (await problem(file)) ?? '',
    /^This computer was not enrolled\. .* must be owned by administrators/,
  );
  assert.equal(await problem(file, true), null, 'set in the user’s own environment');
  assert.match((await problem(path.join(folder, 'gone.json'))) ?? '', /not enrolled/);
});

test('Windows: the file and its folder must be owned by administrators', async () => {
  const file = "C:\\ProgramData\\Kim's\\managed.json";
  const commands: string[] = [];
  const problem = (owners: readonly string[], code: number | null = 0) => {
    commands.length = 0;
    return managedFileProblem({ path: file, isOwnChoice: false }, 'win32', async (program, args) => {
      commands.push([program, ...args].join(' '));
      return { code, stdout: `${owners[commands.length - 1]}\r\n`, stderr: '' };
    });
  };
  assert.equal(await problem(['S-1-5-32-544', 'S-1-5-18']), null);
  assert.match(
    commands[0] ?? '',
    /^powershell\.exe .*Get-Acl -LiteralPath 'C:\\ProgramData\\Kim''s\\managed\.json'/,
  );
  assert.match(commands[1] ?? '', /-LiteralPath 'C:\\ProgramData\\Kim''s'\)/);
  const user = 'S-1-5-21-1004336348-1177238915-682003330-1001';
  assert.match(
    (await problem([user, 'S-1-5-32-544'])) ?? '',
    /managed\.json must be owned by administrators/,
  );
  assert.match((await problem(['S-1-5-32-544', user])) ?? '', /Kim's must be owned by administrators/);
  assert.match((await problem(['S-1-5-32-544', 'S-1-5-18'], 1)) ?? '', /not enrolled/);
  assert.match((await problem(['', ''], null)) ?? '', /not enrolled/);
});

test('tries until it succeeds or the app quits', async () => {
  let tries = 0;
  const pauses = { firstPauseMs: 1, longestPauseMs: 2 };
  const { signal } = new AbortController();
  await enrollManaged({ ...pauses, signal, tryNow: async () => ++tries === 4 });
  assert.equal(tries, 4);
  const ending = new AbortController();
  await enrollManaged({
    firstPauseMs: 60_000,
    longestPauseMs: 60_000,
    signal: ending.signal,
    async tryNow() {
      tries++;
      setImmediate(() => ending.abort());
      return false;
    },
  });
  assert.equal(tries, 5);
});
