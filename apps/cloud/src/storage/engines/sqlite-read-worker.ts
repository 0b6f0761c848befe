import { parentPort, workerData } from 'node:worker_threads';
import SqliteDatabase from 'better-sqlite3';
import type { ReadReply, ReadRequest } from './sqlite-read-threads.ts';

/** Runs in a worker thread: executes one select after the other on a read-only connection. */
const MAX_STATEMENTS = 200;
const BUSY_MS = 5_000;

const db = new SqliteDatabase(workerData as string, { readonly: true, timeout: BUSY_MS });
const statements = new Map<string, SqliteDatabase.Statement>();

parentPort?.on('message', ({ sql, parameters }: ReadRequest) => {
  parentPort?.postMessage(read(sql, parameters));
});

function read(sql: string, parameters: readonly unknown[]): ReadReply {
  try {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = db.prepare(sql);
      if (statements.size >= MAX_STATEMENTS) statements.clear();
      statements.set(sql, statement);
    }
    return { rows: statement.all(...parameters) };
  } catch (error) {
    // An error loses its class and code when it is sent to another thread.
    const { message, code } = error as Error & { code?: string };
    return { message, code: code ?? null };
  }
}
