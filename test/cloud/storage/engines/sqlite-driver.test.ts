import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { Kysely, sql } from 'kysely';
import { createSqliteDialect } from '../../../../apps/cloud/src/storage/engines/sqlite-driver.ts';
import { openSqlite } from '../../../../apps/cloud/src/storage/engines/sqlite-handles.ts';

interface Tables {
  things: { id: number };
}

async function openTestDatabase(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), 'csg-driver-'));
  const handles = await openSqlite(path.join(folder, 'a.sqlite'));
  handles.writes.exec('CREATE TABLE things (id INTEGER PRIMARY KEY)');
  handles.writes.exec('CREATE TABLE parts (of INTEGER REFERENCES things (id) DEFERRABLE INITIALLY DEFERRED)');
  const db = new Kysely<Tables>({
    dialect: createSqliteDialect(handles, (error) => new Error('translated', { cause: error })),
  });
  t.after(async () => {
    await db.destroy();
    rmSync(folder, { recursive: true, force: true });
  });
  const ids = async () =>
    (await db.selectFrom('things').select('id').orderBy('id').execute()).map(({ id }) => id);
  const insert = (id: number) => db.insertInto('things').values({ id });
  return { db, handles, ids, insert };
}

test('results have their rows and how many were changed', async (t) => {
  const { db, ids, insert } = await openTestDatabase(t);
  assert.equal((await insert(1).executeTakeFirst()).numInsertedOrUpdatedRows, 1n);
  assert.deepEqual(await insert(2).returning('id').execute(), [{ id: 2 }]);
  assert.deepEqual(await ids(), [1, 2]);
  assert.equal((await db.deleteFrom('things').executeTakeFirst()).numDeletedRows, 2n);
});

test('readers never wait for a transaction and see nothing of it before it has ended', async (t) => {
  const { db, ids, insert } = await openTestDatabase(t);
  await db.transaction().execute(async (tx) => {
    await tx.insertInto('things').values({ id: 1 }).execute();
    assert.deepEqual(await tx.selectFrom('things').selectAll().execute(), [{ id: 1 }]);
    assert.deepEqual(await ids(), []);
    const later = insert(2).execute();
    assert.deepEqual(
      await tx.selectFrom('things').selectAll().execute(),
      [{ id: 1 }],
      'a single write waits',
    );
    void later;
  });
  await insert(3).execute();
  assert.deepEqual(await ids(), [1, 2, 3]);
});

test('a transaction that fails leaves nothing, and neither lock nor connection taken', async (t) => {
  const { db, handles, ids, insert } = await openTestDatabase(t);
  const failing = db.transaction().execute(async (tx) => {
    await tx.insertInto('things').values({ id: 1 }).execute();
    throw new Error('changed my mind');
  });
  await assert.rejects(failing, /changed my mind/);
  const broken = db.transaction().execute((tx) => sql`insert into parts values (7)`.execute(tx));
  await assert.rejects(broken, /translated/, 'found by the commit');
  assert.equal(handles.writes.inTransaction, false);
  await insert(2).execute();
  await assert.rejects(insert(2).execute(), /translated/);
  assert.equal(handles.writes.inTransaction, false);
  assert.equal(handles.lock.tryAcquire(), true);
  handles.lock.release();
  await insert(3).execute();
  assert.deepEqual(await ids(), [2, 3]);
});

test('a transaction that cannot begin leaves the lock free', async (t) => {
  const { db, handles, insert } = await openTestDatabase(t);
  handles.writes.exec('BEGIN');
  await assert.rejects(
    db.transaction().execute(async () => {}),
    /translated/,
  );
  handles.writes.exec('ROLLBACK');
  await insert(1).execute();
});

test('rows are not streamed', async (t) => {
  const { db } = await openTestDatabase(t);
  const read = async () => {
    for await (const _row of db.selectFrom('things').selectAll().stream()) assert.fail('a row');
  };
  await assert.rejects(read(), /reads in pages/);
});

test('closing ends both connections', async (t) => {
  const { db, handles, ids } = await openTestDatabase(t);
  await ids();
  await db.destroy();
  await handles.close();
  assert.deepEqual([handles.reads.open, handles.writes.open], [false, false]);
});
