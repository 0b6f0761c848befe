import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Reached } from '../../../../scripts/testing/changed/reach-map.ts';
import { testsOfChange } from '../../../../scripts/testing/changed/tests-of-change.ts';

const KEYS = 'test/keys.test.ts';
const ROUTES = 'test/routes.test.ts';
const FRESH = 'test/fresh.test.ts';
const NAMES: Readonly<Record<string, readonly string[]>> = {
  [KEYS]: ['src/keys.ts'],
  [ROUTES]: ['src/routes.ts'],
  'src/routes.ts': ['src/keys.ts', 'src/table.ts'],
  'src/keys.ts': ['src/limits.json'],
};
function reached(files: Readonly<Record<string, readonly string[]>>): Reached {
  return new Map(Object.entries(files).map(([file, digests]) => [file, new Set(digests)]));
}
const PROJECT = {
  tests: [FRESH, KEYS, ROUTES],
  files: [FRESH, KEYS, ROUTES, 'src/keys.ts', 'src/routes.ts', 'src/table.ts', 'src/limits.json'],
  reach: new Map([
    [KEYS, reached({ 'src/keys.ts': ['outside', 'create', 'revoke'], [KEYS]: ['outside'] })],
    [
      ROUTES,
      reached({ 'src/keys.ts': ['outside', 'create'], 'src/routes.ts': ['outside'], [ROUTES]: ['outside'] }),
    ],
    [FRESH, reached({ [FRESH]: ['outside'] })],
  ]),
  unchangedOf: () => new Set<string>(),
  untouchedBy: () => new Set<string>(),
  namesOf: (file: string) => NAMES[file] ?? [],
};

describe('the tests of a change', () => {
  const chosen = (...changed: readonly string[]) => testsOfChange(changed, PROJECT);

  test('are those that ran a function of the file', () => {
    assert.deepEqual(chosen('src/keys.ts'), [KEYS, ROUTES]);
    assert.deepEqual(chosen('src/routes.ts'), [ROUTES]);
  });

  test('are, if only functions changed, those that ran one of these', () => {
    const unless = (...unchanged: readonly string[]) =>
      testsOfChange(['src/keys.ts'], { ...PROJECT, unchangedOf: () => new Set(unchanged) });
    assert.deepEqual(unless('outside', 'create'), [KEYS]);
    assert.deepEqual(unless('outside', 'revoke'), [KEYS, ROUTES]);
    assert.deepEqual(unless('create', 'revoke'), [KEYS, ROUTES]);
    assert.deepEqual(unless('outside', 'create', 'revoke'), [KEYS]);
  });

  test('are, for a file without functions, those of the files that name it', () => {
    assert.deepEqual(chosen('src/table.ts'), [ROUTES]);
    assert.deepEqual(chosen('src/limits.json'), [KEYS, ROUTES]);
  });

  test('are, if only some functions of these use it, those that ran them', () => {
    const touched = (...untouched: readonly string[]) =>
      testsOfChange(['src/limits.json'], { ...PROJECT, untouchedBy: () => new Set(untouched) });
    assert.deepEqual(touched('outside', 'create'), [KEYS]);
    assert.deepEqual(touched('create', 'revoke'), [KEYS, ROUTES]);
  });

  test('are the changed tests themselves, and none for a file that nothing names', () => {
    assert.deepEqual(chosen(FRESH), [FRESH]);
    assert.deepEqual(chosen('docs/keys.md'), []);
  });

  test('include tests that were never recorded, and all for what every test depends on', () => {
    const reach = new Map([...PROJECT.reach].filter(([name]) => name !== FRESH));
    assert.deepEqual(testsOfChange(['src/routes.ts'], { ...PROJECT, reach }), [FRESH, ROUTES]);
    assert.deepEqual(chosen('package-lock.json'), PROJECT.tests);
  });

  test('end where files name each other', () => {
    const namesOf = (file: string) =>
      file === 'src/a.ts' ? ['src/b.ts'] : file === 'src/b.ts' ? ['src/a.ts'] : [];
    const files = [...PROJECT.files, 'src/a.ts', 'src/b.ts'];
    assert.deepEqual(testsOfChange(['src/a.ts'], { ...PROJECT, files, namesOf }), []);
  });
});
