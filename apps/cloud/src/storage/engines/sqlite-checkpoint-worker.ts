import { statSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import SqliteDatabase from 'better-sqlite3';

/** Runs in a worker thread: checkpoints the database named by `workerData` whenever its log has grown. */
const EVERY_MS = 250;
const WORTH_BYTES = 2 * 1024 * 1024;

const file = workerData as string;
const db = new SqliteDatabase(file);

const timer = setInterval(() => {
  const size = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  // PASSIVE neither waits for other connections nor blocks them.
  if (size >= WORTH_BYTES) db.pragma('wal_checkpoint(PASSIVE)');
}, EVERY_MS);

parentPort?.once('message', () => {
  clearInterval(timer);
  db.close();
});
