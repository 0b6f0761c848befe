import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { Kysely } from 'kysely';
import { createSqliteBatchWriter } from '../batch/sqlite-batch-writer.ts';
import type { Database } from '../schema.ts';
import { BROKEN_REFERENCE, StorageError } from '../storage-error.ts';
import type { Engine, SqlDialect } from './sql-dialect.ts';
import { createSqliteDialect } from './sqlite-driver.ts';
import { openSqlite } from './sqlite-handles.ts';
import { createSqliteReadDialect } from './sqlite-read-dialect.ts';
import { createSqliteReadThreads } from './sqlite-read-threads.ts';

/** With less disk space than this the disk counts as full: writes in progress need it. */
const MIN_BYTES = 16 << 20;

const SQLITE_DIALECT: SqlDialect = {
  engine: 'sqlite',
  columnTypes: { blob: 'blob' },
  // Transactions begin IMMEDIATE, so there is only one writer and no further locks are needed.
  async lockForMigration() {},
  lockRows: (query) => query,
  lockFreeRows: (query) => query,
};

export async function openSqliteEngine(file: string): Promise<Engine> {
  try {
    const handles = await openSqlite(file);
    const db = new Kysely<Database>({ dialect: createSqliteDialect(handles, sqliteError) });
    const threads = createSqliteReadThreads(file);
    const reads = new Kysely<Database>({ dialect: createSqliteReadDialect(threads, sqliteError) });
    return {
      db,
      reads,
      dialect: SQLITE_DIALECT,
      createBatchWriter: (vault) => createSqliteBatchWriter(handles, vault, sqliteError),
      async probe() {
        const { bavail, bsize } = await statfs(dirname(file));
        const left = bavail * bsize;
        if (left < MIN_BYTES) {
          throw new StorageError('disk_full', `The disk is nearly full: ${left >> 20} MiB are left.`);
        }
        await db
          .insertInto('meta')
          .values({ name: 'probed', value: '' })
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: '' }))
          .execute();
      },
      async copyTo(target) {
        await handles.reads.backup(target).catch((error: unknown) => {
          throw sqliteError(error);
        });
      },
      close: async () => {
        await reads.destroy();
        // Kysely only closes connections that were used; a late read would open the file again.
        await threads.close();
        await db.destroy();
        await handles.close();
      },
    };
  } catch (error) {
    throw sqliteError(error);
  }
}

/** Maps SQLite errors to StorageError. Returns other errors unchanged. */
export function sqliteError(error: unknown): unknown {
  if (error instanceof TypeError || error instanceof RangeError) {
    return new StorageError('rejected', `A value cannot be stored: ${error.message}`, { cause: error });
  }
  if (!(error instanceof SqliteDatabase.SqliteError)) return error;
  const { code } = error;
  // An invalid statement is a bug in this program.
  if (code === 'SQLITE_ERROR') return error;
  if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
    return new StorageError('conflict', 'Something with the same identity is stored already.', {
      cause: error,
    });
  }
  if (code === 'SQLITE_CONSTRAINT_FOREIGNKEY') {
    return new StorageError('broken_reference', BROKEN_REFERENCE, { cause: error });
  }
  if (code.startsWith('SQLITE_CONSTRAINT') || code === 'SQLITE_TOOBIG' || code === 'SQLITE_MISMATCH') {
    return new StorageError('rejected', `The database rejected a value: ${error.message}.`, { cause: error });
  }
  // The second code: no space for the index of the log.
  if (code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_SHMSIZE')
    return new StorageError('disk_full', 'The disk is full.', { cause: error });
  return new StorageError('unavailable', `The database file cannot be used (${code}): ${error.message}.`, {
    cause: error,
  });
}
