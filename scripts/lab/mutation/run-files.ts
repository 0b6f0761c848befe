/**
 * Runs the test files given as arguments in one process, because most of them take less time than loading their
 * imports. Stops at the first failing test; or, if `NODE_V8_COVERAGE` names a folder, stores the coverage of loading
 * the files in `load`, and that of each file in a folder named by its argument index.
 */
import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, test } from 'node:test';
import { takeCoverage } from 'node:v8';
import { loadTestFiles } from '../../testing/load-test-files.ts';

const folder = process.env['NODE_V8_COVERAGE'] ?? '';
const keep = folder === '' ? undefined : openCoverage(folder);
if (keep === undefined) {
  afterEach((context) => {
    if ('passed' in context && context.passed === false) process.exit(1);
  });
}
if (keep !== undefined) test('loading', () => keep('load'));
await loadTestFiles(process.argv.slice(2), (file, index) => {
  if (keep !== undefined) test(`coverage of ${file}`, () => keep(String(index)));
});

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
