import { Worker } from 'node:worker_threads';
import SqliteDatabase from 'better-sqlite3';

export interface ReadRequest {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export type ReadReply =
  | { readonly rows: readonly unknown[] }
  | { readonly message: string; readonly code: string | null };

export interface SqliteReadThreads {
  /** Runs one select on another thread and returns its rows. Throws the error that SQLite threw there. */
  read(request: ReadRequest): Promise<unknown[]>;
  close(): Promise<void>;
}

/** More than one, so that a slow search does not block other lists. */
const MAX_THREADS = 2;

interface Task {
  readonly request: ReadRequest;
  readonly resolve: (rows: unknown[]) => void;
  readonly reject: (error: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  task: Task | null;
}

/**
 * Runs reads whose cost grows with the stored data off the event loop. Threads start on first use, so commands
 * that read little have none.
 */
export function createSqliteReadThreads(file: string): SqliteReadThreads {
  const threads = new Set<Thread>();
  const waiting: Task[] = [];
  let isClosed = false;

  function next(): void {
    if (waiting.length === 0) return;
    let thread = [...threads].find(({ task }) => task === null);
    if (thread === undefined && threads.size < MAX_THREADS) thread = start();
    if (thread === undefined) return;
    const task = waiting.shift()!;
    thread.task = task;
    // Keeps the process alive while a request waits for the thread.
    thread.worker.ref();
    thread.worker.postMessage(task.request);
  }

  function start(): Thread {
    const worker = new Worker(new URL('./sqlite-read-worker.ts', import.meta.url), { workerData: file });
    const thread: Thread = { worker, task: null };
    threads.add(thread);
    worker.on('message', (reply: ReadReply) => {
      const { task } = thread;
      thread.task = null;
      worker.unref();
      if (task !== null) settle(task, reply);
      next();
    });
    worker.on('error', (error) => lose(thread, error));
    worker.on('exit', () => lose(thread, new Error('The thread that reads the database has ended.')));
    return thread;
  }

  function lose(thread: Thread, error: unknown): void {
    threads.delete(thread);
    thread.task?.reject(error);
    thread.task = null;
    if (!isClosed) next();
  }

  return {
    read: (request) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new TypeError('The database connection is not open'));
        waiting.push({ request, resolve, reject });
        next();
      }),
    async close() {
      isClosed = true;
      for (const task of waiting.splice(0)) task.reject(new TypeError('The database connection is not open'));
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}

function settle(task: Task, reply: ReadReply): void {
  if ('rows' in reply) {
    task.resolve(reply.rows.map(withBuffers));
    return;
  }
  const { message, code } = reply;
  task.reject(code === null ? new Error(message) : new SqliteDatabase.SqliteError(message, code));
}

/** A `Buffer` arrives from another thread as a plain byte array. */
function withBuffers(row: unknown): unknown {
  const columns = row as Record<string, unknown>;
  for (const name in columns) {
    const value = columns[name];
    if (value instanceof Uint8Array) {
      columns[name] = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
  }
  return columns;
}
