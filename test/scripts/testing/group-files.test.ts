import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { groupFiles } from '../../../scripts/testing/group-files.ts';

test('small files of one folder share a process, up to sixty, or eight end-to-end tests; the slowest folder is first', (t) => {
  const root = mkdtempSync(path.join(tmpdir(), 'csg-groups-'));
  t.after(() => rmSync(root, { recursive: true }));
  const texts: Record<string, string> = {
    'test/e2e/load.test.ts': '',
    'test/e2e/journey.test.ts': '',
    'test/scripts/testing/a.test.ts': '',
    'test/scripts/testing/b.test.ts': '',
    'test/shared/hooks.test.ts': 'before(async () => {});',
    'test/shared/inside.test.ts': "describe('x', () => {\n  before(async () => {});\n});",
    'test/shared/setting.test.ts': "  process.env['LONG'] = '1';",
  };
  for (let n = 0; n < 8; n++) texts[`test/e2e/${n}.test.ts`] = '';
  for (let n = 0; n < 61; n++) texts[`test/cloud/${n}.test.ts`] = '';
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  const firstInOrder = Array.from({ length: 61 }, (_, n) => `test/cloud/${n}.test.ts`).sort();
  const groups = groupFiles(root, Object.keys(texts).sort());
  const names = groups.map((group) => group.map((file) => path.relative(root, file)));
  assert.deepEqual(names, [
    [0, 1, 2, 3, 4, 5, 6, 7].map((n) => `test/e2e/${n}.test.ts`),
    ['test/e2e/journey.test.ts'],
    ['test/e2e/load.test.ts'],
    firstInOrder.slice(0, 60),
    firstInOrder.slice(60),
    ['test/shared/hooks.test.ts', 'test/shared/inside.test.ts'],
    ['test/shared/setting.test.ts'],
    ['test/scripts/testing/a.test.ts'],
    ['test/scripts/testing/b.test.ts'],
  ]);

  const few = ['test/e2e/0.test.ts', 'test/e2e/1.test.ts', 'test/e2e/2.test.ts', 'test/e2e/load.test.ts'];
  assert.deepEqual(
    groupFiles(root, few, 2).map((group) => group.map((file) => path.relative(root, file))),
    [few.slice(0, 2), few.slice(2, 3), few.slice(3)],
    'a few files are spread over the processors',
  );
});
