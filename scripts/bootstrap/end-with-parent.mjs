/**
 * Preloaded into every script that npm started: ends it (as SIGTERM does, so it can drain) once its parent is gone.
 * Without this a killed npm would leave the service running and its port taken.
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
