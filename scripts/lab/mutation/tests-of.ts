import path from 'node:path';
import { belongsTo } from '../../check-tests.ts';
import type { Import } from '../../structure/parse-source.ts';

/** Data for choosing the tests of one source file. */
export interface KnownTests {
  readonly tests: readonly string[];
  readonly importsOf: (file: string) => readonly Import[];
}

/** Limits the time for one mutant. */
const MAX_TESTS = 6;

/**
 * Returns the tests to run for a change of a file, the nearest first: those that mirror it, those that import it, and
 * those of its folder if there are no others.
 */
export function testsOf(source: string, { tests, importsOf }: KnownTests): string[] {
  const mirrors = tests.filter((test) => belongsTo(test, source));
  const importers = tests.filter((test) =>
    importsOf(test).some(({ specifier, isType }) => !isType && isAt(test, specifier, source)),
  );
  const near = [...new Set([...mirrors, ...importers])].slice(0, MAX_TESTS);
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
