/**
 * Runs the test files given as arguments in one process, because most of them take less time than loading their
 * imports.
 */
import { after } from 'node:test';
import { loadTestFiles } from './load-test-files.ts';
import { closeSharedParts, sharePartsOfProcess } from './shared-parts.ts';

sharePartsOfProcess();
after(closeSharedParts);
await loadTestFiles(process.argv.slice(2));
