/**
 * Runs the test files that are its arguments in one process: most of them take less time than what they load. Ends at
 * the first test that fails; or, where `NODE_V8_COVERAGE` names a folder, keeps there what loading the files runs, in
 * `load`, and what each of them runs, in a folder named by its place in the arguments.
 */
import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { takeCoverage } from 'node:v8';

const folder = process.env['NODE_V8_COVERAGE'];
const loaded = Promise.withResolvers<void>();
// The first tests wait for the last file: where no test is left to run, `node:test` takes the process for done.
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

/** Keeps what ran since the last call; processes and threads that ended have left theirs already. */
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
