import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { findManagedFile } from '../../../apps/desktop/src/main/managed-file.ts';

test('the file that device management put there; none is no fault', () => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'csg-managed-')), 'managed.json');
  const find = (platform: NodeJS.Platform) => findManagedFile(platform, { AGENT_MANAGED_FILE: file });
  for (const platform of ['linux', 'darwin', 'win32', 'freebsd'] as const) assert.equal(find(platform), null);
  writeFileSync(file, '{}');
  for (const platform of ['linux', 'darwin', 'win32', 'freebsd'] as const) assert.equal(find(platform), file);
  assert.equal(findManagedFile('linux', { AGENT_MANAGED_FILE: '' }), null);
});
