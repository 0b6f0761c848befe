/**
 * `npm test [-- path …]`: runs the tests of test and scripts/lab, or those under the given paths; of each slow suite the
 * part that the seed chooses. In CI a missing system tool is a failure; on a developer's machine its tests are skipped
 * with the reason. `--changed [BASE]` runs those that a change can reach.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readArguments } from './options.ts';
import { listChangedFiles, readRevision } from './testing/changed/list-changed-files.ts';
import { readReachMap } from './testing/changed/reach-map.ts';
import { runAndRecord } from './testing/changed/run-and-record.ts';
import { partsOf } from './testing/changed/source-parts.ts';
import { openNames } from './testing/changed/static-reach.ts';
import { testsOfChange } from './testing/changed/tests-of-change.ts';
import { untouchedParts } from './testing/changed/untouched-parts.ts';
import { findTestFiles, PROCESS_LIMIT_MS, runTests, TEST_LIMIT_MS } from './testing/run-tests.ts';

/** Runs the tests that the changes since `base` can reach; all, and records them, if none were recorded yet. */
async function runChanged(root: string, base: string, options: readonly string[]): Promise<number> {
  const reach = readReachMap(root);
  if (reach === undefined) {
    console.error('No run was recorded in this copy of the project: running and recording all tests …');
    return await runAndRecord(root, options);
  }
  const changed = listChangedFiles(root, base);
  if (typeof changed === 'string') {
    console.error(`The changes since ${base} cannot be listed; ${changed}`);
    return 2;
  }
  const sources = globSync('{apps,shared,scripts,test}/**/*.{ts,tsx,mjs}', {
    cwd: root,
    exclude: ['**/node_modules', '**/dist'],
  });
  const files = [...new Set([...sources, ...changed])];
  const read = (file: string) =>
    existsSync(path.join(root, file)) ? readFileSync(path.join(root, file), 'utf8') : '';
  const namesOf = openNames(files, read);
  const digestsIn = (file: string, text: string) => new Set(partsOf(file, text).map(({ digest }) => digest));
  const unchangedOf = (file: string): ReadonlySet<string> => {
    const before = digestsIn(file, readRevision(root, base, file));
    return new Set([...digestsIn(file, read(file))].filter((digest) => before.has(digest)));
  };
  const untouchedBy = (file: string, other: string): ReadonlySet<string> =>
    untouchedParts({ file, text: read(file) }, other, namesOf(file).filter((name) => name === other).length);
  const tests = findTestFiles(root, []);
  const chosen = testsOfChange(changed, { tests, files, reach, namesOf, unchangedOf, untouchedBy });
  console.error(`${changed.length} files changed since ${base}; ${chosen.length} test files can notice.`);
  return chosen.length === 0 ? 0 : await runTests([...chosen, ...options]);
}

if (import.meta.main) {
  const { values, operands } = readArguments({
    command: 'npm test --',
    about: 'Runs all tests, or those in the given files and folders.',
    options: {
      changed: {
        type: 'boolean',
        help: 'Only the tests that the changes since a revision can reach: --changed main (default: HEAD)',
      },
      record: {
        type: 'boolean',
        help: 'Also record which functions each test runs, for --changed; bounds of CPU time are not checked meanwhile',
      },
      name: { type: 'string', multiple: true, value: 'PATTERN', help: 'Only tests with a matching name' },
      limit: {
        type: 'string',
        value: 'SECONDS',
        help: `Time limit of a process of test files, and of each test (default: ${PROCESS_LIMIT_MS / 1_000} and ${TEST_LIMIT_MS / 1_000})`,
      },
      seed: {
        type: 'string',
        value: 'N',
        help: 'Seed that chooses the part of each slow suite (default: that of the commit)',
      },
    },
    operands: '[FILE …]',
  });
  const root = path.resolve(import.meta.dirname, '..');
  const options = [
    ...(values.name ?? []).map((name) => `--name=${name}`),
    ...(values.limit === undefined ? [] : [`--limit=${values.limit}`]),
    ...(values.seed === undefined ? [] : [`--seed=${values.seed}`]),
  ];
  if (values.changed === true) process.exitCode = await runChanged(root, operands[0] ?? 'HEAD', options);
  else if (values.record === true && values.name !== undefined) {
    console.error('--record records what whole files run: leave out --name.');
    process.exitCode = 2;
  } else if (values.record === true) process.exitCode = await runAndRecord(root, [...operands, ...options]);
  else process.exitCode = await runTests([...operands, ...options]);
}
