/**
 * Runs the test files given as arguments in one process, because most of them take less time than loading their
 * imports, up to the first failing test.
 */
import { afterEach } from 'node:test';
import { Worker } from 'node:worker_threads';
import { loadTestFiles } from '../../testing/load-test-files.ts';

new Worker(new URL('./end-with-parent.ts', import.meta.url), { workerData: process.ppid }).unref();
afterEach((context) => {
  if ('passed' in context && context.passed === false) process.exit(1);
});
await loadTestFiles(process.argv.slice(2));
