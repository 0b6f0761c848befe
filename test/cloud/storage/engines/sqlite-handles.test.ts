import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { openSqlite } from '../../../../apps/cloud/src/storage/engines/sqlite-handles.ts';

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

async function openTestHandles(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), 'csg-handles-'));
  const file = path.join(folder, 'deep', 'gateway.sqlite');
  const handles = await openSqlite(file);
  handles.writes.exec('CREATE TABLE parents (id INTEGER PRIMARY KEY)');
  handles.writes.exec('CREATE TABLE things (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parents (id))');
  const other = new SqliteDatabase(file, { timeout: 0 });
  t.after(async () => {
    other.close();
    await handles.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { handles, other, file };
}

test('one connection writes, with a log and references that are checked; the other one only reads', async (t) => {
  const { handles, file } = await openTestHandles(t);
  const { reads, writes } = handles;
  const pragma = (name: string) => writes.pragma(name, { simple: true });
  assert.deepEqual(
    ['journal_mode', 'synchronous', 'foreign_keys', 'busy_timeout', 'wal_autocheckpoint'].map(pragma),
    ['wal', 1, 1, 0, 16_384],
  );
  assert.throws(() => writes.exec('INSERT INTO things VALUES (1, 5)'), /FOREIGN KEY/);
  assert.throws(() => reads.exec('INSERT INTO parents VALUES (1)'), { code: 'SQLITE_READONLY' });
  assert.equal(statSync(path.dirname(file)).mode & 0o777, 0o700);
});

test('a transaction waits for another process without blocking the event loop', async (t) => {
  const { handles, other } = await openTestHandles(t);
  other.exec('BEGIN IMMEDIATE');
  assert.equal(handles.tryBegin(), false);
  let hasBegun = false;
  const begun = handles.begin().then(() => {
    hasBegun = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(hasBegun, false);
  other.exec('ROLLBACK');
  await begun;
  assert.equal(handles.writes.inTransaction, true);
  assert.throws(() => other.exec('BEGIN IMMEDIATE'), { code: 'SQLITE_BUSY' });
  // Not busy: this connection has begun already.
  assert.throws(() => handles.tryBegin(), /within a transaction/);
  await assert.rejects(handles.begin(), /within a transaction/);
  handles.writes.exec('INSERT INTO parents VALUES (1)');
  handles.rollback();
  handles.rollback();
  assert.equal(handles.tryBegin(), true);
  handles.writes.exec('INSERT INTO parents VALUES (2)');
  handles.commit();
  assert.deepEqual(other.prepare('SELECT id FROM parents').pluck().all(), [2]);
});

test('a statement is prepared once for a connection, and again while it is running', async (t) => {
  const { handles } = await openTestHandles(t);
  const { reads, writes } = handles;
  handles.writes.exec('INSERT INTO parents VALUES (1), (2)');
  const text = 'SELECT id FROM parents';
  const statement = handles.prepare(reads, text);
  assert.equal(handles.prepare(reads, text), statement);
  assert.notEqual(handles.prepare(writes, text), statement);
  for (const _row of statement.iterate()) assert.notEqual(handles.prepare(reads, text), statement);
  const last = handles.prepare(reads, text);
  for (let n = 0; n < 500; n++) handles.prepare(reads, `${text} WHERE id = ${n}`);
  assert.notEqual(handles.prepare(reads, text), last, 'the oldest ones are dropped');
});
