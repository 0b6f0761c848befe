/**
 * Runs the test files that are its arguments in one process. Most of them take less time than what they load, which is
 * then loaded once.
 */
import { before } from 'node:test';
import { pathToFileURL } from 'node:url';

const loaded = Promise.withResolvers<void>();
// The first tests wait for the last file: where no test is left to run, `node:test` takes the process for done.
before(() => loaded.promise);
for (const file of process.argv.slice(2)) await import(pathToFileURL(file).href);
loaded.resolve();
