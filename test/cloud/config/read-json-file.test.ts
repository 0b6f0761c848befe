import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readJsonFile } from '../../../apps/cloud/src/config/read-json-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'csg-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('returns the value, or throws a sentence that names the setting and the file', () => {
  const file = join(folder, 'plans.json');
  assert.throws(() => readJsonFile('SETTING', file), /^Error: SETTING names .*plans\.json, .*ENOENT/);
  writeFileSync(file, '{"a":');
  assert.throws(
    () => readJsonFile('SETTING', file),
    /^Error: SETTING names .*plans\.json, which is not JSON/,
  );
  writeFileSync(file, '{"a":1}');
  assert.deepEqual(readJsonFile('SETTING', file), { a: 1 });
});
