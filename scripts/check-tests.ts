/** Tests mirror sources: every file with logic has a test, every test a source, and every skip a reason. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { COVERAGE_FILE, type Coverage, MIN_PERCENT, readTestedBy } from './lab/coverage/tested-by.ts';
import { isBrowserCode } from './structure/browser-code.ts';
import { listFiles } from './structure/list-files.ts';
import { MAY_WAIT } from './structure/may-wait.ts';
import type { Violation } from './structure/module-violations.ts';
import { SOURCE_FOLDERS } from './structure/modules.ts';
import { parseSource } from './structure/parse-source.ts';
import { testViolations } from './structure/test-violations.ts';

/** The test folder of each source folder. */
const MIRRORS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(SOURCE_FOLDERS).map(([name, folder]) => [folder, `test/${name}`])),
  'scripts/lab': 'scripts/lab/test',
  scripts: 'test/scripts',
};

const TEST_FOLDERS = ['test', 'scripts/lab/test'];

/** `shared/text/spans.ts` -> `test/shared/text/spans.test.ts`. */
export function testOf(source: string): string | undefined {
  const entry = Object.entries(MIRRORS).find(([folder]) => source.startsWith(`${folder}/`));
  if (entry === undefined) return undefined;
  const [folder, tests] = entry;
  return `${tests}/${source.slice(folder.length + 1).replace(/\.(?:tsx?|mjs)$/, '.test.ts')}`;
}

/**
 * True if a test in the mirrored folder has the source's name, optionally with a suffix: `relay.test.ts` and
 * `relay-faults.test.ts` both belong to `relay.ts`.
 */
export function belongsTo(test: string, source: string): boolean {
  const own = testOf(source)?.replace(/\.test\.ts$/, '');
  return own !== undefined && (test === `${own}.test.ts` || test.startsWith(`${own}-`));
}

export interface MirrorInput {
  /** Sources that need a test: they export a function. */
  readonly sources: readonly string[];
  /** All sources, also those of data and types alone. */
  readonly allSources: readonly string[];
  readonly tests: readonly string[];
  /** Coverage by other tests of the sources without a test of their own. */
  readonly coverage: Coverage;
}

export function mirrorViolations({ sources, allSources, tests, coverage }: MirrorInput): Violation[] {
  const violations: Violation[] = [];
  const say = (file: string, text: string) => violations.push({ file, line: 1, text });
  const elsewhere = new Set(withoutTest(sources, tests));
  for (const source of elsewhere) {
    const entry = coverage[source];
    if (entry === undefined) say(source, `has no test: write ${testOf(source)}, or run ${measure('FILES')}`);
    else if (entry.percent < MIN_PERCENT)
      say(source, `has a coverage of ${entry.percent}%, below ${MIN_PERCENT}%: write ${testOf(source)}`);
  }
  for (const [source, { by }] of Object.entries(coverage)) {
    if (!elsewhere.has(source))
      say(source, `no longer needs an entry in ${COVERAGE_FILE}: ${measure(by.join(' '))}`);
    const gone = by.filter((test) => !tests.includes(test));
    if (gone.length > 0)
      say(source, `is listed as covered by ${gone.join(', ')}, which no longer exists: ${measure('FILES')}`);
  }
  const named = new Set(Object.values(coverage).flatMap(({ by }) => by));
  for (const test of tests) {
    const isMirror = Object.values(MIRRORS).some((folder) => test.startsWith(`${folder}/`));
    if (isMirror && !named.has(test) && !allSources.some((source) => belongsTo(test, source))) {
      say(test, 'has no source file of this name: rename it, or move it to test/conformance or test/e2e');
    }
  }
  return violations;
}

function measure(tests: string): string {
  return `npm run lab -- coverage --write ${tests}`;
}

function withoutTest(sources: readonly string[], tests: readonly string[]): string[] {
  return sources.filter((source) => !tests.some((test) => belongsTo(test, source)));
}

/** The files that tests mirror, and those that need a test. */
function readFiles(root: string): Omit<MirrorInput, 'coverage'> {
  const parse = (file: string) => parseSource(file, readFileSync(path.join(root, file), 'utf8'));
  const packageSources = listFiles(root, Object.values(SOURCE_FOLDERS), ['.ts']);
  return {
    sources: packageSources.filter((file) => parse(file).exportsFunction && !isBrowserCode(file, parse)),
    allSources: [...packageSources, ...listFiles(root, ['scripts'], ['.ts', '.mjs'])],
    tests: listFiles(root, TEST_FOLDERS, ['.test.ts']),
  };
}

/** Returns sources that must be covered by tests of other names. */
export function sourcesElsewhere(root: string): string[] {
  const { sources, tests } = readFiles(root);
  return withoutTest(sources, tests);
}

export function checkTests(root: string): Violation[] {
  const violations = mirrorViolations({ ...readFiles(root), coverage: readTestedBy(root) });
  for (const file of listFiles(root, TEST_FOLDERS, ['.ts'])) {
    const mayWait = MAY_WAIT.some((folder) => file.startsWith(folder));
    violations.push(...testViolations(file, readFileSync(path.join(root, file), 'utf8'), mayWait));
  }
  return violations;
}

if (import.meta.main) {
  const violations = checkTests(path.resolve(import.meta.dirname, '..'));
  for (const { file, line, text } of violations) console.error(`${file}:${line}  ${text}`);
  if (violations.length > 0) process.exitCode = 1;
}
