import { Worker } from 'node:worker_threads';

export interface SqliteCheckpointer {
  noteCommit(): void;
  stop(): Promise<void>;
}

/** Fewer commits than this leave nothing worth a thread: commands and tests stay without one. */
const STARTS_AFTER = 300;

/**
 * Moves the write-ahead log into the database from a thread of its own: waiting for the disk then stops no request.
 * Should the thread fail, `wal_autocheckpoint` of the writing connection does the same where it is.
 */
export function createSqliteCheckpointer(file: string): SqliteCheckpointer {
  let commits = 0;
  let running: { readonly worker: Worker; readonly exited: Promise<void> } | undefined;

  function start(): NonNullable<typeof running> {
    const worker = new Worker(new URL('./sqlite-checkpoint-worker.ts', import.meta.url), {
      workerData: file,
    });
    const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    worker.on('error', () => {});
    worker.unref();
    return { worker, exited };
  }

  return {
    noteCommit() {
      if (running === undefined && ++commits >= STARTS_AFTER) running = start();
    },
    async stop() {
      if (running === undefined) return;
      running.worker.ref();
      running.worker.postMessage('stop');
      await running.exited;
    },
  };
}
