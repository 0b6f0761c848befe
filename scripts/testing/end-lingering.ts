/**
 * Preloaded into the process of every test file: after its tests and hooks have ended, the process must end by itself
 * (`?limitMs=`). Otherwise open resources of a failed test (a server, a timer) would block the run. If the run was killed,
 * the process ends with all its children.
 */
import { after } from 'node:test';
import { isMainThread } from 'node:worker_threads';

const LIMIT_MS = Number(new URL(import.meta.url).searchParams.get('limitMs'));
const POLL_MS = 250;

function endWithRun(): void {
  const run = process.ppid;
  const endAll = (): void => {
    try {
      process.kill(-process.pid, 'SIGKILL');
    } catch {
      // It does not lead a process group: Windows, or another runner.
      process.exit(1);
    }
  };
  const timer = setInterval(() => {
    if (process.ppid !== run) endAll();
  }, POLL_MS);
  timer.unref();
  // Without this, a closed report would end only this process.
  process.stdout.on('error', endAll);
}

// Programs that a test starts with its own arguments are not test files, and threads end with their process.
if (isMainThread && /\.test\.ts$|several-files\.ts$/.test(process.argv[1] ?? '')) {
  endWithRun();
  after(() => {
    // A hook that a hook adds runs last, after those of the file itself.
    after(() => {
      setTimeout(() => {
        const open = [...new Set(process.getActiveResourcesInfo())].join(', ');
        process.stderr.write(
          `Its tests ended ${LIMIT_MS / 1000} s ago, but these handles are still open: ${open}\n`,
        );
        process.exit(1);
      }, LIMIT_MS).unref();
    });
  });
}
