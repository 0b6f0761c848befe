/**
 * Runs the test files given as arguments in one process, because most of them take less time than loading their
 * imports. Stops at the first failing test; or, if `NODE_V8_COVERAGE` names a folder, stores the coverage of loading
 * the files in `load`, and that of each file in a folder named by its argument index.
 */
import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { takeCoverage } from 'node:v8';

const folder = process.env['NODE_V8_COVERAGE'];
const loaded = Promise.withResolvers<void>();
// The first tests wait for the last file to load: with no test left to run, `node:test` would end the process.
before(() => loaded.promise);
const keep = folder === undefined ? undefined : openCoverage(folder);
if (keep === undefined) {
  afterEach((context) => {
    if ('passed' in context && context.passed === false) process.exit(1);
  });
}
if (keep !== undefined) test('loading', () => keep('load'));
for (const [index, file] of process.argv.slice(2).entries()) {
  await import(pathToFileURL(path.resolve(file)).href);
  if (keep !== undefined) test(`coverage of ${file}`, () => keep(String(index)));
}
loaded.resolve();

/** Stores what ran since the last call; processes and threads that ended have already written theirs. */
function openCoverage(folder: string): (name: string) => void {
  let sinceMs = 0;
  return (name) => {
    const ms = performance.now() - sinceMs;
    takeCoverage();
    const own = path.join(folder, name);
    mkdirSync(own);
    for (const file of readdirSync(folder)) {
      if (file.endsWith('.json')) renameSync(path.join(folder, file), path.join(own, file));
    }
    writeFileSync(path.join(own, 'ms'), String(ms));
    sinceMs = performance.now();
  };
}
