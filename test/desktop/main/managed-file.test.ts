import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { enrollManaged, findManagedFile } from '../../../apps/desktop/src/main/managed-file.ts';
import { tempFolder } from '../../support/temp-folder.ts';

test('the file that device management put there; none is no fault', () => {
  const file = path.join(tempFolder('managed'), 'managed.json');
  const find = (platform: NodeJS.Platform) => findManagedFile(platform, { AGENT_MANAGED_FILE: file });
  for (const platform of ['linux', 'darwin', 'win32', 'freebsd'] as const) assert.equal(find(platform), null);
  writeFileSync(file, '{}');
  for (const platform of ['linux', 'darwin', 'win32', 'freebsd'] as const) assert.equal(find(platform), file);
  assert.equal(findManagedFile('linux', { AGENT_MANAGED_FILE: '' }), null);
});

test('it is tried until it is done, and no longer than the app lives', async () => {
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
