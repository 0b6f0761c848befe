import path from 'node:path';
import { belongsTo } from '../check-tests.ts';
import type { Import } from '../structure/parse-source.ts';

/** What is known of the tests, to choose those of one source file. */
export interface KnownTests {
  readonly tests: readonly string[];
  readonly importsOf: (file: string) => readonly Import[];
  /** Sources that another test runs, and that test. A source may be a folder with a slash at its end. */
  readonly elsewhere: readonly { readonly source: string; readonly by: string }[];
}

/** Beyond these the answer for one mutant takes too long. */
const MAX_TESTS = 6;

/**
 * The tests that are asked whether they notice a change of a file, the nearest first: those that mirror it, the one
 * that is named for it, those that import it, and those of its folder if there are no others.
 */
export function testsOf(source: string, { tests, importsOf, elsewhere }: KnownTests): string[] {
  const mirrors = tests.filter((test) => belongsTo(test, source));
  const named = elsewhere
    .filter((entry) =>
      entry.source.endsWith('/') ? source.startsWith(entry.source) : entry.source === source,
    )
    .map(({ by }) => by);
  const importers = tests.filter((test) =>
    importsOf(test).some(({ specifier, isType }) => !isType && isAt(test, specifier, source)),
  );
  const near = [...new Set([...mirrors, ...named, ...importers])].slice(0, MAX_TESTS);
  if (near.length > 0) return near;
  const folder = path.posix.dirname(source);
  return tests
    .filter((test) => belongsTo(test, `${folder}.ts`) || isMirrorFolder(test, folder))
    .slice(0, MAX_TESTS);
}

function isAt(test: string, specifier: string, source: string): boolean {
  return specifier.startsWith('.') && path.posix.join(path.posix.dirname(test), specifier) === source;
}

function isMirrorFolder(test: string, folder: string): boolean {
  return belongsTo(`${path.posix.dirname(test)}.test.ts`, `${folder}.ts`);
}
