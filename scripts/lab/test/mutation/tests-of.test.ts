import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Import } from '../../../structure/parse-source.ts';
import { testsOf } from '../../mutation/tests-of.ts';

const imported = (specifier: string, isType = false): Import => ({
  specifier,
  line: 1,
  isType,
  names: ['x'],
});
const KNOWN = {
  tests: [
    'test/cloud/flows/relay.test.ts',
    'test/cloud/flows/relay-long.test.ts',
    'test/cloud/flows/other.test.ts',
    'test/cloud/routes/relay.test.ts',
  ],
  importsOf: (file: string): Import[] =>
    file === 'test/cloud/routes/relay.test.ts'
      ? [imported('../../../apps/cloud/src/flows/relay.ts')]
      : file === 'test/cloud/flows/other.test.ts'
        ? [imported('../../../apps/cloud/src/flows/relay.ts', true)]
        : [],
};

test('lists first the tests that mirror a file, then those that import it', () => {
  assert.deepEqual(testsOf('apps/cloud/src/flows/relay.ts', KNOWN), [
    'test/cloud/flows/relay.test.ts',
    'test/cloud/flows/relay-long.test.ts',
    'test/cloud/routes/relay.test.ts',
  ]);
});

test('an unknown file gets the tests of its folder', () => {
  assert.deepEqual(testsOf('apps/cloud/src/flows/unknown.ts', KNOWN), KNOWN.tests.slice(0, 3));
});
