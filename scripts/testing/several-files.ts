/**
 * Runs the test files that are its arguments in one process. Most of them take less time than what they load, which is
 * then loaded once. Each is a suite of its own, so that its hooks are for its own tests, and what they opened is closed
 * before the tests of the next file begin.
 */
import path from 'node:path';
import { before, describe } from 'node:test';
import { pathToFileURL } from 'node:url';

const loaded = Promise.withResolvers<void>();
// The first tests wait for the last file: where no test is left to run, `node:test` takes the process for done.
before(() => loaded.promise);
for (const file of process.argv.slice(2)) {
  // One after the other: two that wait for the same module could end up in one suite.
  await new Promise<void>((resolve) => {
    describe(path.relative(process.cwd(), file), () => import(pathToFileURL(file).href).finally(resolve));
  });
}
loaded.resolve();
