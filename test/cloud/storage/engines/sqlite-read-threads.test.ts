import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { openSqliteEngine } from '../../../../apps/cloud/src/storage/engines/sqlite-engine.ts';
import { createSqliteReadThreads } from '../../../../apps/cloud/src/storage/engines/sqlite-read-threads.ts';
import { StorageError } from '../../../../apps/cloud/src/storage/storage-error.ts';

const longSelect = (steps: number) =>
  `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${steps}) SELECT count(*) AS found FROM numbers WHERE n = ?`;
/** Each is tried until one is so long that this busy machine lets another thread run meanwhile. */
const LONG = [300_000, 3_000_000, 30_000_000].map(longSelect);

function open(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), 'csg-read-threads-'));
  const file = path.join(folder, 'a.sqlite');
  const writes = new SqliteDatabase(file);
  writes.pragma('journal_mode = WAL');
  writes.exec('CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT, bytes BLOB)');
  const threads = createSqliteReadThreads(file);
  t.after(async () => {
    await threads.close();
    writes.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { threads, writes, file };
}

test('rows arrive as SQLite has them, bytes as buffers, and include what was just committed', async (t) => {
  const { threads, writes } = open(t);
  const insert = writes.prepare('INSERT INTO things (name, bytes) VALUES (?, ?)');
  for (let i = 1; i <= 20; i++) {
    insert.run(`thing ${i}`, i % 2 === 0 ? null : Buffer.from([i, 255]));
    const rows = await threads.read({ sql: 'SELECT * FROM things WHERE id >= ?', parameters: [i] });
    assert.deepEqual(rows, [
      { id: i, name: `thing ${i}`, bytes: i % 2 === 0 ? null : Buffer.from([i, 255]) },
    ]);
  }
});

test('the event loop continues during a long select, and a short one overtakes it', async (t) => {
  const { threads } = open(t);
  // Starts both threads before they race.
  await Promise.all([1, 2].map(() => threads.read({ sql: 'SELECT 1', parameters: [] })));
  for (const sql of LONG) {
    let isLongDone = false;
    const long = threads.read({ sql, parameters: [1] }).then((rows) => {
      isLongDone = true;
      return rows;
    });
    await threads.read({ sql: 'SELECT 2', parameters: [] });
    const isOvertaken = !isLongDone;
    assert.deepEqual(await long, [{ found: 1 }]);
    if (isOvertaken) return;
  }
  assert.fail('no select was overtaken');
});

test('an error keeps its code, the thread serves the next select, and nothing can be written', async (t) => {
  const { threads } = open(t);
  const failed = { name: 'SqliteError', code: 'SQLITE_ERROR', message: 'no such table: absent' };
  await assert.rejects(threads.read({ sql: 'SELECT * FROM absent', parameters: [] }), failed);
  const write = { sql: "INSERT INTO things (name) VALUES ('a') RETURNING id", parameters: [] };
  await assert.rejects(threads.read(write), { code: 'SQLITE_READONLY' });
  assert.deepEqual(await threads.read({ sql: 'SELECT 3 AS n', parameters: [] }), [{ n: 3 }]);
});

test('every read is rejected while threads cannot open the file, also those that waited', async () => {
  const threads = createSqliteReadThreads(path.join(tmpdir(), 'csg-absent', 'a.sqlite'));
  const reads = Array.from({ length: 5 }, () => threads.read({ sql: 'SELECT 1', parameters: [] }));
  const outcomes = await Promise.allSettled(reads);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    Array.from({ length: 5 }, () => 'rejected'),
  );
  await threads.close();
});

test('closing rejects pending reads and later ones', async (t) => {
  const { threads } = open(t);
  const waiting = Array.from({ length: 5 }, (_, i) => threads.read({ sql: LONG[0]!, parameters: [i] }));
  const settled = Promise.allSettled(waiting);
  await threads.close();
  assert.ok((await settled).some(({ status }) => status === 'rejected'));
  await assert.rejects(threads.read({ sql: 'SELECT 1', parameters: [] }), TypeError);
});

test('the connection of an engine for reads accepts selects only', async (t) => {
  const { file } = open(t);
  const engine = await openSqliteEngine(file);
  t.after(() => engine.close());
  await assert.rejects(
    engine.reads.insertInto('meta').values({ name: 'a', value: 'b' }).execute(),
    /single selects only/,
  );
  await assert.rejects(
    engine.reads.transaction().execute(async () => {}),
    /single selects only/,
  );
  await assert.rejects(engine.reads.selectFrom('meta').selectAll().execute(), (error) => {
    assert.ok(!(error instanceof StorageError));
    return String(error).includes('no such table: meta');
  });
});
