/** Tests mirror sources: every file with logic has its test, every test its source, and none is skipped unsaid. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { listFiles } from './structure/list-files.ts';
import { parseSource } from './structure/parse-source.ts';
import type { Violation } from './structure/room-violations.ts';
import { SOURCE_FOLDERS } from './structure/rooms.ts';
import { testViolations } from './structure/test-violations.ts';
import { MAY_WAIT, TESTED_ELSEWHERE, type TestedElsewhere } from './structure/tested-elsewhere.ts';

/** Where the tests of a source folder live. */
const MIRRORS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(SOURCE_FOLDERS).map(([name, folder]) => [folder, `test/${name}`])),
  scripts: 'test/scripts',
};

/** `shared/text/spans.ts` -> `test/shared/text/spans.test.ts`. */
export function testOf(source: string): string | undefined {
  const entry = Object.entries(MIRRORS).find(([folder]) => source.startsWith(`${folder}/`));
  if (entry === undefined) return undefined;
  const [folder, tests] = entry;
  return `${tests}/${source.slice(folder.length + 1).replace(/\.(?:tsx?|mjs)$/, '.test.ts')}`;
}

/**
 * True where a test stands beside the place of a source's test under its name, or its name and a further word:
 * `relay.test.ts` and `relay-faults.test.ts` both belong to `relay.ts`.
 */
export function belongsTo(test: string, source: string): boolean {
  const own = testOf(source)?.replace(/\.test\.ts$/, '');
  return own !== undefined && (test === `${own}.test.ts` || test.startsWith(`${own}-`));
}

export interface MirrorInput {
  /** Sources that export a function. */
  readonly sources: readonly string[];
  /** All sources, also those of data and types alone. */
  readonly allSources: readonly string[];
  readonly tests: readonly string[];
  readonly elsewhere: readonly TestedElsewhere[];
  readonly exists: (file: string) => boolean;
}

export function mirrorViolations({
  sources,
  allSources,
  tests,
  elsewhere,
  exists,
}: MirrorInput): Violation[] {
  const violations: Violation[] = [];
  const say = (file: string, text: string) => violations.push({ file, line: 1, text });
  const untested = sources.filter((source) => !tests.some((test) => belongsTo(test, source)));
  const covers = ({ source }: TestedElsewhere, file: string) =>
    source.endsWith('/') ? file.startsWith(source) : file === source;
  for (const source of untested) {
    if (!elsewhere.some((entry) => covers(entry, source)))
      say(source, `has no test: write ${testOf(source)}`);
  }
  for (const test of tests) {
    const isMirror = Object.values(MIRRORS).some((folder) => test.startsWith(`${folder}/`));
    const isNamed = elsewhere.some((entry) => entry.by === test);
    if (isMirror && !isNamed && !allSources.some((source) => belongsTo(test, source))) {
      say(test, 'tests no source file of this name: rename it, or move it to test/conformance or test/e2e');
    }
  }
  for (const entry of elsewhere) {
    if (!untested.some((source) => covers(entry, source))) {
      say(entry.source, 'needs no entry in scripts/structure/tested-elsewhere.ts any more');
    }
    if (!exists(entry.by))
      say(entry.source, `is said to be tested by ${entry.by}, and there is no such file`);
  }
  return violations;
}

export function checkTests(root: string): Violation[] {
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
  const packageSources = listFiles(root, Object.values(SOURCE_FOLDERS), ['.ts']);
  const inTest = listFiles(root, ['test'], ['.ts']);
  const violations = mirrorViolations({
    sources: packageSources.filter((file) => parseSource(file, read(file)).exportsFunction),
    allSources: [...packageSources, ...listFiles(root, ['scripts'], ['.ts', '.mjs'])],
    tests: inTest.filter((file) => file.endsWith('.test.ts')),
    elsewhere: TESTED_ELSEWHERE,
    exists: (file) => existsSync(path.join(root, file)),
  });
  for (const file of inTest) {
    const mayWait = MAY_WAIT.some((folder) => file.startsWith(folder));
    violations.push(...testViolations(file, read(file), mayWait));
  }
  return violations;
}

if (import.meta.main) {
  const violations = checkTests(path.resolve(import.meta.dirname, '..'));
  for (const { file, line, text } of violations) console.error(`${file}:${line}  ${text}`);
  if (violations.length > 0) process.exitCode = 1;
}
