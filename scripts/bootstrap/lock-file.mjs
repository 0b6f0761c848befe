import { readFileSync, rmSync, writeFileSync } from 'node:fs';

const POLL_MS = 500;

/**
 * Runs `work` under a lock. The lock is a file with its owner's pid; that of an exited owner is taken over.
 * @template T
 * @param {string} file
 * @param {string} waiting what to tell a person while another process has the lock
 * @param {() => Promise<T>} work
 * @param {AbortSignal} [signal] ends the waiting
 * @returns {Promise<T>}
 */
export async function withLockFile(file, waiting, work, signal) {
  let wasReported = false;
  while (!take(file)) {
    signal?.throwIfAborted();
    if (!wasReported) console.error(waiting);
    wasReported = true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    release();
    process.removeListener('exit', release);
  }
}

/** @param {string} file */
function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') {
      // On a full disk it was created, but has no owner.
      rmSync(file, { force: true });
      throw error;
    }
  }
  if (!ownerIsAlive(file)) rmSync(file, { force: true });
  return false;
}

/** @param {string} file */
function ownerIsAlive(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    // The file is empty for a moment between creation and write: its owner is alive.
    return !(pid > 0) || isRunning(pid);
  } catch {
    // Its owner has just removed it.
    return true;
  }
}

/** @param {number} pid */
export function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
