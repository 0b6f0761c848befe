/** A scan thread on a slow computer: each task takes far more than the deadline, by a clock that may tick every 10 ms. */
import { parentPort } from 'node:worker_threads';

const WORK_MS = 40;

const usedMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

// Before the engine's own listener.
parentPort!.on('message', () => {
  const untilMs = usedMs() + WORK_MS;
  while (usedMs() < untilMs);
});
await import('../../apps/cloud/src/detection-workers/run-scan-thread.ts');
