/** Preloaded into a gateway process (`--import`): on SIGUSR2 prints the longest time its event loop stood still since the last one. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/** How often it looks; what it measures includes one such wait. */
const LOOK_MS = 1;

if (isMainThread) {
  const delays = monitorEventLoopDelay({ resolution: LOOK_MS });
  delays.enable();
  process.on('SIGUSR2', () => {
    console.log(`longest block ${Math.max(0, delays.max / 1e6 - LOOK_MS)} ms`);
    delays.reset();
  });
}
