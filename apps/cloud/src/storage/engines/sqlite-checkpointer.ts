import { Worker } from 'node:worker_threads';

export interface SqliteCheckpointer {
  noteCommit(): void;
  stop(): Promise<void>;
}

/** A thread is not worthwhile for fewer commits: commands and tests run without one. */
const STARTS_AFTER = 300;

/**
 * Checkpoints the write-ahead log into the database on a separate thread, so that waiting for the disk blocks no
 * request. If the thread fails, `wal_autocheckpoint` does the same on the writing connection.
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
