import type { BatchRunner } from '../flows/scrape-batch/batch-runner.ts';

const EVERY_MS = 1_000;

/** Looks for pages of batches until stopped; stopping waits for those under way. Several instances may do so. */
export function startRunningBatches(
  runner: BatchRunner,
  everyMs: number = EVERY_MS,
): { stop(): Promise<void> } {
  const timer = setInterval(() => void runner.look(), everyMs).unref();
  void runner.look();
  return {
    async stop() {
      clearInterval(timer);
      await runner.close();
    },
  };
}
