/**
 * Preloaded into the process of every test file: once its tests and its hooks have ended, the process has a short
 * time to end too. Whatever a failed test left open (a server, a timer) would otherwise keep the run waiting. And if the
 * run was killed, the process ends with all that it started.
 */
import { after } from 'node:test';
import { isMainThread } from 'node:worker_threads';

const GRACE_MS = 10_000;
const POLL_MS = 250;

function endWithRun(): void {
  const run = process.ppid;
  const endAll = (): void => {
    try {
      process.kill(-process.pid, 'SIGKILL');
    } catch {
      // It leads no group: Windows, or a run by something else.
      process.exit(1);
    }
  };
  const timer = setInterval(() => {
    if (process.ppid !== run) endAll();
  }, POLL_MS);
  timer.unref();
  // A report that nothing reads any more would end this process alone.
  process.stdout.on('error', endAll);
}

// Programs that a test starts with its own arguments are not test files, and threads end with their process.
if (isMainThread && /\.test\.ts$|several-files\.ts$/.test(process.argv[1] ?? '')) {
  endWithRun();
  after(() => {
    // A hook that is added by a hook runs last: after those of the file itself.
    after(() => {
      setTimeout(() => {
        const open = [...new Set(process.getActiveResourcesInfo())].join(', ');
        process.stderr.write(
          `Its tests ended ${GRACE_MS / 1000} s ago, and something is still open: ${open}\n`,
        );
        process.exit(1);
      }, GRACE_MS).unref();
    });
  });
}
