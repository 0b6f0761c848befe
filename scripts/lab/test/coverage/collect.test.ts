import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { tempFolder } from '../../../../test/support/temp-folder.ts';
import { collectCoverage } from '../../coverage/collect.ts';

test("the coverage of a group of test files is known when it has ended, and Node's files are gone", async () => {
  const root = tempFolder('collect');
  writeFileSync(path.join(root, 'package.json'), '{"type":"module"}');
  writeFileSync(
    path.join(root, 'pick.ts'),
    'export const pick = (a: boolean) => {\n  if (a) return 1;\n  return 2;\n};\n',
  );
  writeFileSync(path.join(root, 'other.ts'), 'export const other = () => 1;\n');
  writeFileSync(
    path.join(root, 'a.test.ts'),
    "import { pick } from './pick.ts';\nimport './other.ts';\npick(false);\n",
  );
  const seen: unknown[] = [];
  const { isAlone, runGroup } = collectCoverage(root, new Set(['pick.ts']), true, (tests, ran) =>
    seen.push([tests, [...ran].map(([file, marks]) => [file, ...marks])]),
  );
  let raw = '';
  const end = await runGroup([path.join(root, 'a.test.ts')], async (env) => {
    raw = env['NODE_V8_COVERAGE']!;
    assert.equal(spawnSync(process.execPath, ['a.test.ts'], { cwd: root, env }).status, 0);
    assert.ok(existsSync(raw));
    return 'ended';
  });
  assert.equal(end, 'ended');
  assert.equal(isAlone, true);
  assert.deepEqual(seen, [[['a.test.ts'], [['pick.ts', 1, 0, 1]]]]);
  assert.equal(existsSync(path.dirname(raw)), false);
});
