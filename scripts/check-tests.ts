/** Tests mirror sources: every test has a source or a folder of its name. Every skip has a reason, and nothing sleeps. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { listFiles } from './structure/list-files.ts';
import type { Violation } from './structure/module-violations.ts';
import { SOURCE_FOLDERS } from './structure/modules.ts';
import { testViolations } from './structure/test-violations.ts';

/** The test folder of each source folder. */
const MIRRORS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(SOURCE_FOLDERS).map(([name, folder]) => [folder, `test/${name}`])),
  'scripts/lab': 'scripts/lab/test',
  scripts: 'test/scripts',
};

const TEST_FOLDERS = ['test', 'scripts/lab/test'];
/** Test support that waits on purpose (a stalling provider, pauses of polling); tests themselves never wait. */
const MAY_WAIT = ['test/support/provider/', 'test/support/load.ts', 'test/support/until.ts'];

/** `shared/text/spans.ts` -> `test/shared/text/spans.test.ts`; a folder has a test of its name as well. */
export function testOf(source: string): string | undefined {
  const entry = Object.entries(MIRRORS).find(([folder]) => source.startsWith(`${folder}/`));
  if (entry === undefined) return undefined;
  const [folder, tests] = entry;
  return `${tests}/${source.slice(folder.length + 1).replace(/\.(?:tsx?|mjs)$/, '')}.test.ts`;
}

/**
 * True if a test in the mirrored folder has the name of the source or folder, optionally with a suffix: `relay.test.ts`
 * and `relay-faults.test.ts` both belong to `relay.ts`.
 */
export function belongsTo(test: string, source: string): boolean {
  const own = testOf(source)?.replace(/\.test\.ts$/, '');
  return own !== undefined && (test === `${own}.test.ts` || test.startsWith(`${own}-`));
}

export function mirrorViolations(sources: readonly string[], tests: readonly string[]): Violation[] {
  const all = new Set(sources.flatMap((source) => [source, path.posix.dirname(source)]));
  return tests
    .filter((test) => Object.values(MIRRORS).some((folder) => test.startsWith(`${folder}/`)))
    .filter((test) => ![...all].some((source) => belongsTo(test, source)))
    .map((file) => ({
      ...{ file, line: 1 },
      text: 'has no source of this name: rename it, or move it to test/conformance or test/e2e',
    }));
}

export function checkTests(root: string): Violation[] {
  const sources = listFiles(root, [...Object.values(SOURCE_FOLDERS), 'scripts'], ['.ts', '.tsx', '.mjs']);
  const tests = listFiles(root, TEST_FOLDERS, ['.ts']);
  const isTest = (file: string) => file.endsWith('.test.ts');
  return [
    ...mirrorViolations(
      sources.filter((file) => !isTest(file)),
      tests.filter(isTest),
    ),
    ...tests.flatMap((file) => {
      const mayWait = MAY_WAIT.some((folder) => file.startsWith(folder));
      return testViolations(file, readFileSync(path.join(root, file), 'utf8'), mayWait);
    }),
  ];
}

if (import.meta.main) {
  const violations = checkTests(path.resolve(import.meta.dirname, '..'));
  for (const { file, line, text } of violations) console.error(`${file}:${line}  ${text}`);
  if (violations.length > 0) process.exitCode = 1;
}
