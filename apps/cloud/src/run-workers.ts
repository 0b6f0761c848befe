import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { FastifyBaseLogger } from 'fastify';
import { drainOnSignal } from './drain-on-signal.ts';
import { gatherMetrics } from './gateway/worker-metrics.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;
/** A worker that lived this long did not fail because of how it was started. */
const SETTLED_MS = 60_000;
/** Failed starts in a row, with no worker serving, before it gives up. */
const MAX_FAILED_STARTS = 5;

/**
 * Serves in several processes of this computer, each an instance of its own, on one port. The first creates the schema
 * and the first key; if it cannot start, it reports the problem and no other starts. A worker that dies is replaced,
 * after a pause that grows while workers keep dying.
 */
export async function runWorkers(count: number, log: FastifyBaseLogger): Promise<void> {
  let isStopping = false;
  let failedStarts = 0;
  let pauseMs = FIRST_PAUSE_MS;
  gatherMetrics();
  drainOnSignal(log, async () => {
    isStopping = true;
    await stopAll();
  });

  const first = cluster.fork();
  if (!(await isServing(first))) {
    // The worker has reported the problem. A process ended by a signal has no exit code.
    process.exitCode = first.process.exitCode ?? 1;
    return;
  }
  takeCare(first, performance.now());
  for (let n = 1; n < count; n++) start();

  function start(): void {
    if (isStopping) return;
    const worker = cluster.fork();
    worker.once('listening', () => {
      failedStarts = 0;
      log.info({ worker: worker.id }, 'a worker serves');
    });
    takeCare(worker, performance.now());
  }

  function takeCare(worker: Worker, startedAtMs: number): void {
    let hasServed = worker === first;
    worker.once('listening', () => {
      hasServed = true;
    });
    worker.once('exit', (code: number | null, signal: string | null) => {
      if (isStopping) return;
      if (!hasServed) failedStarts += 1;
      if (failedStarts >= MAX_FAILED_STARTS && workers().length === 0) {
        process.stderr.write(`No worker is running, and ${failedStarts} starts in a row have failed.\n`);
        process.exit(1);
      }
      const isSettled = performance.now() - startedAtMs >= SETTLED_MS;
      pauseMs = isSettled ? FIRST_PAUSE_MS : Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
      log.error({ worker: worker.id, code, signal, again_in_ms: pauseMs }, 'a worker died');
      setTimeout(start, pauseMs);
    });
  }
}

/** Resolves once the worker listens or has exited. */
async function isServing(worker: Worker): Promise<boolean> {
  return await Promise.race([
    once(worker, 'listening').then(() => true),
    once(worker, 'exit').then(() => false),
  ]);
}

/** Drains every worker; rejects if one could not. */
async function stopAll(): Promise<void> {
  const ends = workers().map(async (worker) => {
    const exit = once(worker, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
    worker.process.kill('SIGTERM');
    const [code, signal] = await exit;
    // A worker that is still starting is ended by the signal itself.
    if (code !== 0 && signal !== 'SIGTERM')
      throw new Error(`Worker ${worker.id} ended with ${code ?? signal}`);
  });
  await Promise.all(ends);
}

function workers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}
