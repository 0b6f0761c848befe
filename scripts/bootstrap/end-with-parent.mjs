/**
 * Preloaded into every script that npm started: ends it with SIGTERM, so that it can drain, once its parent has exited.
 * Otherwise a killed npm would leave the service running on its port.
 */
import { isMainThread } from 'node:worker_threads';

const POLL_MS = 250;

const parent = process.ppid;
if (isMainThread && process.env.npm_lifecycle_event !== undefined) {
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, POLL_MS);
  timer.unref();
}
