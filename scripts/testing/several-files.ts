/**
 * Runs the test files given as arguments in one process. Most of them take less time than their imports, which are then
 * loaded once.
 */
import path from 'node:path';
import { before, describe } from 'node:test';
import { pathToFileURL } from 'node:url';

const loaded = Promise.withResolvers<void>();
// The first tests wait for the last file to load: with no test left to run, `node:test` would end the process.
before(() => loaded.promise);
for (const file of process.argv.slice(2)) {
  // One after the other: two that wait for the same module could end up in one suite.
  await new Promise<void>((resolve) => {
    describe(path.relative(process.cwd(), file), () => import(pathToFileURL(file).href).finally(resolve));
  });
}
loaded.resolve();
