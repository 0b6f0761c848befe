/**
 * Preloaded into the process of every test file: once its tests and its hooks have ended, the process has a short
 * time to end too. Whatever a failed test left open (a server, a timer) would otherwise keep the run waiting.
 */
import { after } from 'node:test';
import { isMainThread } from 'node:worker_threads';

const GRACE_MS = 10_000;

// Programs that a test starts with its own arguments are not test files, and threads end with their process.
if (isMainThread && process.argv[1]?.endsWith('.test.ts') === true) {
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
