import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { openSqliteEngine, sqliteError } from '../../../../apps/cloud/src/storage/engines/sqlite-engine.ts';
import { StorageError } from '../../../../apps/cloud/src/storage/storage-error.ts';

const { SqliteError } = SqliteDatabase;

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'csg-engine-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const unavailable = (error: unknown) => error instanceof StorageError && error.code === 'unavailable';

test('errors of SQLite have the codes of storage and keep their cause', () => {
  const codes = {
    SQLITE_CONSTRAINT_UNIQUE: 'conflict',
    SQLITE_CONSTRAINT_PRIMARYKEY: 'conflict',
    SQLITE_CONSTRAINT_FOREIGNKEY: 'broken_reference',
    SQLITE_CONSTRAINT_NOTNULL: 'rejected',
    SQLITE_TOOBIG: 'rejected',
    SQLITE_MISMATCH: 'rejected',
    SQLITE_FULL: 'disk_full',
    SQLITE_IOERR_SHMSIZE: 'disk_full',
    SQLITE_IOERR_READ: 'unavailable',
    SQLITE_BUSY: 'unavailable',
    SQLITE_CORRUPT: 'unavailable',
  };
  for (const [code, expected] of Object.entries(codes)) {
    const cause = new SqliteError('no luck', code);
    const error = sqliteError(cause);
    assert.ok(error instanceof StorageError, code);
    assert.deepEqual([error.code, error.cause], [expected, cause], code);
  }
  for (const cause of [new TypeError('no number'), new RangeError('too large')]) {
    const error = sqliteError(cause) as StorageError;
    assert.deepEqual([error.code, error.cause], ['rejected', cause]);
    assert.match(error.message, /cannot be stored: (?:no number|too large)$/);
  }
});

test('an invalid statement and an error of another kind stay as they are', () => {
  for (const error of [new SqliteError('syntax', 'SQLITE_ERROR'), new Error('SQLITE_FULL'), 'text', null]) {
    assert.equal(sqliteError(error), error);
  }
});

test('a database that cannot be opened or copied is reported as unavailable', async (t) => {
  const folder = newFolder(t);
  await assert.rejects(openSqliteEngine(folder), unavailable);
  const engine = await openSqliteEngine(path.join(folder, 'gateway.sqlite'));
  t.after(() => engine.close());
  await assert.rejects(engine.copyTo(folder), unavailable);
  await engine.copyTo(path.join(folder, 'copy.sqlite'));
  new SqliteDatabase(path.join(folder, 'copy.sqlite'), { fileMustExist: true }).close();
});

test('a closed engine has no open file, so that its folder can be moved', async (t) => {
  const folder = newFolder(t);
  const engine = await openSqliteEngine(path.join(folder, 'gateway.sqlite'));
  await engine.close();
  await assert.rejects(engine.db.selectFrom('users').selectAll().execute());
  await assert.rejects(engine.reads.selectFrom('users').selectAll().execute());
});
