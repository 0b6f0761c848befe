import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import SqliteDatabase from 'better-sqlite3';
import { createSqliteCheckpointer } from './sqlite-checkpointer.ts';
import { createWriteLock, type WriteLock } from './write-lock.ts';

const BUSY_MS = 5_000;
/** 64 MiB. */
const MAX_LOG_PAGES = 16_384;

/** A read-only connection that never waits, and one that writes under the process's lock. */
export interface SqliteHandles {
  readonly reads: SqliteDatabase.Database;
  readonly writes: SqliteDatabase.Database;
  readonly lock: WriteLock;
  /** BEGIN IMMEDIATE; waits for other processes without blocking the event loop. The lock must be held. */
  begin(): Promise<void>;
  /** The same, but returns false instead of waiting. */
  tryBegin(): boolean;
  commit(): void;
  /** Never throws; SQLite has already rolled back after some failures. */
  rollback(): void;
  /** Prepared once per statement text and connection. */
  prepare(database: SqliteDatabase.Database, text: string): SqliteDatabase.Statement;
  close(): Promise<void>;
}

export async function openSqlite(file: string): Promise<SqliteHandles> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  restrictAccess(file);
  const writes = new SqliteDatabase(file, { timeout: BUSY_MS });
  await retryWhileBusy(() => writes.pragma('journal_mode = WAL'));
  // In WAL mode NORMAL loses nothing if the process crashes; a power failure may lose the most recent transactions.
  writes.pragma('synchronous = NORMAL');
  writes.pragma('foreign_keys = ON');
  // A fallback for the checkpointer, which normally acts much earlier.
  writes.pragma(`wal_autocheckpoint = ${MAX_LOG_PAGES}`);
  const reads = new SqliteDatabase(file, { timeout: BUSY_MS });
  reads.pragma('query_only = ON');
  // From here on `begin` does the waiting, without blocking the event loop.
  writes.pragma('busy_timeout = 0');

  const checkpointer = createSqliteCheckpointer(file);
  const lock = createWriteLock(2 * BUSY_MS);
  const begin = writes.prepare('BEGIN IMMEDIATE');
  const commit = writes.prepare('COMMIT');
  const statements = new Map<SqliteDatabase.Database, Map<string, SqliteDatabase.Statement>>([
    [reads, new Map()],
    [writes, new Map()],
  ]);

  return {
    reads,
    writes,
    lock,
    async begin() {
      await retryWhileBusy(() => begin.run());
    },
    tryBegin() {
      try {
        begin.run();
        return true;
      } catch (error) {
        if (isBusy(error)) return false;
        throw error;
      }
    },
    commit() {
      commit.run();
      checkpointer.noteCommit();
    },
    rollback() {
      if (writes.inTransaction) writes.exec('ROLLBACK');
    },
    prepare(database, text) {
      const known = statements.get(database)!;
      let statement = known.get(text);
      if (statement === undefined || statement.busy) {
        statement = database.prepare(text);
        if (known.size >= 500) known.clear();
        known.set(text, statement);
      }
      return statement;
    },
    async close() {
      await checkpointer.stop();
      reads.close();
      writes.close();
    },
  };
}

/** Restricts the database to its owner, even in a shared folder; SQLite gives its log the mode of the database. */
function restrictAccess(file: string): void {
  try {
    closeSync(openSync(file, 'a', 0o600));
    for (const name of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(name)) chmodSync(name, 0o600);
  } catch {
    // SQLite reports a file that cannot be written when it opens it.
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof SqliteDatabase.SqliteError && error.code.startsWith('SQLITE_BUSY');
}

async function retryWhileBusy(attempt: () => unknown): Promise<void> {
  const deadline = performance.now() + BUSY_MS;
  for (let waitMs = 1; ; waitMs = Math.min(waitMs * 2, 16)) {
    try {
      attempt();
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
    await pause(waitMs * (0.5 + Math.random()));
  }
}
