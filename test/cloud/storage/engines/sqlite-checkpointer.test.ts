import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { openSqlite } from '../../../../apps/cloud/src/storage/engines/sqlite-handles.ts';
import { until } from '../../../support/until.ts';

test('the log moves into the database while it is written to, and closing leaves one file', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'csg-checkpointer-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'a.sqlite');
  const handles = await openSqlite(file);
  handles.writes.exec('CREATE TABLE things (id INTEGER PRIMARY KEY, text TEXT)');
  const insert = handles.writes.prepare('INSERT INTO things (text) VALUES (?)');
  let commits = 0;
  const commit = async () => {
    await handles.begin();
    insert.run('x'.repeat(10_000));
    handles.commit();
    commits++;
  };
  for (let i = 0; i < 600; i++) await commit();
  await until(
    () => statSync(file).size,
    (bytes) => bytes >= 4_000_000,
  );
  await commit();
  assert.equal(handles.reads.prepare('SELECT count(*) FROM things').pluck().get(), commits);
  await handles.close();
  assert.equal(statSync(`${file}-wal`, { throwIfNoEntry: false }), undefined);
});
