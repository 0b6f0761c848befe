/**
 * Runs the test files that are its arguments in one process. Most of them take less time than what they load, which is
 * then loaded once. All are loaded before the first test runs: in between, nothing would keep the process alive.
 */
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
for (const file of process.argv.slice(2)) load(file);
