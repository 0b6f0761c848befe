import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import type { FilePiece } from './file-text.ts';
import type { FilesJob, FilesMessage, FileToRead } from './read-files-worker.ts';

const POLL_INTERVAL_MS = 20;
/** A reader that does not pause within this much further work is terminated. */
const PAUSE_GRACE_MS = 100;
/** A thread without progress for this long is considered stuck. */
const STUCK_MS = 10_000;
/** Limit for unpacked data, which is outside of the heap and its limit. */
const MAX_BUFFERED_BYTES = 768 * 1024 * 1024;

/** Why a turn ended before all files were read. After `paused` and `full`, only whole pieces were read. */
export type TurnEnd = 'done' | 'paused' | 'overrun' | 'full' | 'memory' | 'stuck' | 'broken' | 'no_thread';

export interface TurnOptions {
  readonly files: readonly FileToRead[];
  /** Remaining CPU time and characters for the files of this request. */
  readonly workMs: number;
  readonly maxCharacters: number;
  /** Returns whether to yield, given the time spent in this turn, in total and on the file at `index`. */
  readonly isTimeToPause: (index: number, fileMs: number, turnMs: number) => boolean;
  readonly onPiece: (index: number, piece: FilePiece) => void;
}

export interface TurnResult {
  readonly end: TurnEnd;
  /** Number of files that were read completely, from the first. */
  readonly finished: number;
  readonly workMs: number;
}

/** Reads files on one thread until they are finished or the turn ends. Never rejects; earlier results are kept. */
export async function readInTurn(pool: Piscina, options: TurnOptions): Promise<TurnResult> {
  const { port1, port2 } = new MessageChannel();
  const closed = once(port1, 'close');
  const pause = new Int32Array(new SharedArrayBuffer(4));
  const ending = new AbortController();
  let end: TurnEnd = 'done';
  let finished = 0;
  let threadId: number | null = null;
  let fileBeganMs = 0;
  let beforeMs = 0;
  let fileMs = 0;

  const endWith = (reason: TurnEnd): void => {
    if (end === 'done' || end === 'paused') end = reason;
    ending.abort();
  };

  port1.on('message', (message: FilesMessage) => {
    if (message.kind === 'piece') {
      options.onPiece(message.file, message.piece);
      return;
    }
    if (message.kind === 'begin') {
      threadId = message.threadId;
      fileBeganMs = message.cpuMs;
      fileMs = 0;
      return;
    }
    beforeMs += message.cpuMs - fileBeganMs;
    fileBeganMs = message.cpuMs;
    fileMs = 0;
    if (message.kind === 'end') finished = message.file + 1;
    else if (end === 'done') end = Atomics.load(pause, 0) === 1 ? 'paused' : 'full';
  });

  let lastWorkMs = -1;
  let lastMoveMs = performance.now();
  async function poll(): Promise<void> {
    const thread = pool.threads.find((one) => one.threadId === threadId);
    if (thread === undefined) return;
    const [{ user, system }, heap] = await Promise.all([thread.cpuUsage(), thread.getHeapStatistics()]);
    const cpuMs = (user + system) / 1_000;
    if (cpuMs > lastWorkMs) lastMoveMs = performance.now();
    lastWorkMs = cpuMs;
    fileMs = Math.max(0, cpuMs - fileBeganMs);
    const turnMs = beforeMs + fileMs;
    if (turnMs >= options.workMs) endWith('overrun');
    else if (heap.external_memory > MAX_BUFFERED_BYTES) endWith('memory');
    else if (performance.now() - lastMoveMs > STUCK_MS) endWith('stuck');
    else if (options.isTimeToPause(finished, fileMs, turnMs)) Atomics.store(pause, 0, 1);
    if (
      Atomics.load(pause, 0) === 1 &&
      options.isTimeToPause(finished, fileMs - PAUSE_GRACE_MS, turnMs - PAUSE_GRACE_MS)
    )
      endWith('paused');
  }
  // A thread that has ended in the meantime reports no usage.
  const looking = setInterval(() => void poll().catch(() => {}), POLL_INTERVAL_MS);

  const { files, maxCharacters } = options;
  const job: FilesJob = { files, port: port2, pause, maxCharacters };
  try {
    await pool.run(job, { name: 'readFilesInWorker', transferList: [port2], signal: ending.signal });
  } catch (error) {
    const isMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
    if (end === 'done') end = isMemory ? 'memory' : threadId === null ? 'no_thread' : 'broken';
  } finally {
    clearInterval(looking);
  }
  // By the time the port closes, all messages of the thread have arrived.
  if (threadId === null) port1.close();
  await closed;
  return { end, finished, workMs: beforeMs + fileMs };
}
