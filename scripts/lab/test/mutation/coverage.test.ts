import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { tempFolder } from '../../../../test/support/temp-folder.ts';
import { hasRun, readCoverage } from '../../mutation/coverage.ts';

const SOURCE = `export function pick(flag: boolean): string {
  if (flag) return 'yes';
  return 'no';
}
export function unused(): number {
  return 1;
}
`;

test('reads which statements a process ran, in the offsets of the typed source', () => {
  const root = tempFolder('coverage');
  const raw = path.join(root, 'raw');
  mkdirSync(raw);
  writeFileSync(path.join(root, 'pick.ts'), SOURCE);
  writeFileSync(path.join(root, 'run.ts'), "import { pick } from './pick.ts';\npick(true);\n");
  writeFileSync(path.join(root, 'package.json'), '{"type":"module"}');
  const { status } = spawnSync(process.execPath, ['run.ts'], {
    cwd: root,
    env: { ...process.env, NODE_V8_COVERAGE: raw, NODE_DISABLE_COMPILE_CACHE: '1' },
  });
  assert.equal(status, 0);
  const coverage = readCoverage(raw, root, new Set(['pick.ts']));
  assert.deepEqual([...coverage.keys()], ['pick.ts']);
  const ran = (text: string) => hasRun(coverage, 'pick.ts', SOURCE.indexOf(text));
  assert.equal(ran("return 'yes'"), true);
  assert.equal(ran("return 'no'"), false);
  assert.equal(ran('return 1'), false);
  assert.equal(hasRun(coverage, 'other.ts', 0), false);
});
