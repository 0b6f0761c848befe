import { workerData } from 'node:worker_threads';

/**
 * A thread that ends its process, and the children, when the parent process (`workerData`: its id) is gone: a mutant may
 * block the main thread for ever.
 */
const POLL_MS = 250;

setInterval(() => {
  if (process.ppid !== workerData) process.kill(-process.pid, 'SIGKILL');
}, POLL_MS);
