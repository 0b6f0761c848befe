import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { openSqlite } from '../../../apps/cloud/src/storage/sqlite-handles.ts';

test('only the owner may read the database and its log, whatever the modes of the folder and existing files', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'csg-modes-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  const file = path.join(folder, 'gateway.sqlite');
  writeFileSync(file, '', { mode: 0o644 });
  chmodSync(file, 0o644);
  for (let round = 0; round < 2; round++) {
    const handles = await openSqlite(file);
    handles.writes.exec(`CREATE TABLE things_${round} (id INTEGER)`);
    handles.reads.prepare('SELECT count(*) FROM sqlite_master').get();
    for (const name of ['', '-wal', '-shm'])
      assert.equal(statSync(file + name).mode & 0o777, 0o600, `gateway.sqlite${name}`);
    await handles.close();
    chmodSync(file, 0o666);
  }
});
