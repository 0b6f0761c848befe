/**
 * Runs the test files that are its arguments in one process. Most of them take less time than what they load, which is
 * then loaded once.
 */
import { loadTestFiles } from './load-test-files.ts';

await loadTestFiles(process.argv.slice(2));
