import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const POLL_MS = 500;

/**
 * Runs `work` under a lock for the folder. The lock is a file (outside node_modules, which npm empties) with its
 * owner's pid; the lock of an exited owner is taken over.
 * @param {string} root
 * @param {() => Promise<void>} work
 */
export async function withInstallLock(root, work) {
  const file = path.join(root, '.install.lock');
  let wasReported = false;
  while (!take(file)) {
    if (!wasReported) console.error('Another process is installing the packages; waiting for it …');
    wasReported = true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    await work();
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
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
  }
  if (!ownerIsAlive(file)) rmSync(file, { force: true });
  return false;
}

/** @param {string} file */
function ownerIsAlive(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    // The file is empty for a moment between creation and write: its owner is alive.
    if (pid > 0) process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
