import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { findTestFiles } from '../../../scripts/testing/run-tests.ts';

test('findTestFiles takes folders, files and globs, each file once', (t) => {
  const root = mkdtempSync(path.join(tmpdir(), 'csg-find-'));
  t.after(() => rmSync(root, { recursive: true }));
  for (const file of ['test/a/one.test.ts', 'test/b/two.test.ts', 'test/b/support.ts']) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), '');
  }
  assert.deepEqual(findTestFiles(root, []), ['test/a/one.test.ts', 'test/b/two.test.ts']);
  assert.deepEqual(findTestFiles(root, ['test/b']), ['test/b/two.test.ts']);
  assert.deepEqual(findTestFiles(root, ['test/a/one.test.ts', 'test/a']), ['test/a/one.test.ts']);
  assert.deepEqual(findTestFiles(root, ['test/*/two.test.ts']), ['test/b/two.test.ts']);
  assert.deepEqual(findTestFiles(root, ['nothing']), []);
});
