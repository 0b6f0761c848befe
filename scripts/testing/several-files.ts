/**
 * Runs the test files given as arguments in one process, because most of them take less time than loading their
 * imports.
 */
import { loadTestFiles } from './load-test-files.ts';

await loadTestFiles(process.argv.slice(2));
