import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tempFolder } from '../../../../test/support/temp-folder.ts';
import { openStoredCoverage } from '../../mutation/stored-coverage.ts';

const COVERED = {
  ms: 12,
  coverage: new Map([['a.ts', [[{ startOffset: 0, endOffset: 9, count: 1 }]]]]),
};
const FILES = new Set(['a.ts', 'b.ts']);

test('stored coverage of a test is reused until the test, a helper of it or the source changes', () => {
  const folder = tempFolder('kept-coverage');
  const texts = new Map(['x.test.ts', 'helper.ts', 'a.ts', 'b.ts', 'c.ts'].map((file) => [file, file]));
  const open = () =>
    openStoredCoverage(
      folder,
      (file) => texts.get(file) ?? '',
      (one) => [one, 'helper.ts'],
    );
  assert.equal(open().find('x.test.ts', FILES), undefined);
  open().keep('x.test.ts', FILES, COVERED);
  const found = open().find('x.test.ts', FILES);
  assert.deepEqual(found?.coverage.get('a.ts'), COVERED.coverage.get('a.ts'));
  assert.deepEqual([found?.ms, found?.coverage.get('b.ts')], [12, []]);
  assert.equal(open().find('x.test.ts', new Set(['c.ts'])), undefined);
  for (const changed of ['x.test.ts', 'helper.ts', 'a.ts', 'b.ts']) {
    texts.set(changed, 'changed');
    assert.equal(open().find('x.test.ts', FILES), undefined, changed);
    texts.set(changed, changed);
  }
  assert.ok(open().find('x.test.ts', FILES) !== undefined);
});
