import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { openSandbox } from '../../../scripts/mutation/sandbox.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

test('tests run in the copy against what is changed in it, and the project stays as it is', (t) => {
  const sandbox = openSandbox(ROOT);
  t.after(() => sandbox.remove());
  return run(sandbox);
});

async function run(sandbox: ReturnType<typeof openSandbox>): Promise<void> {
  const file = 'shared/text/spans.ts';
  const source = readFileSync(path.join(ROOT, file), 'utf8');
  sandbox.write(
    'test/door.test.ts',
    `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isChanged } from '@csg/shared/text';
test('the door leads to the copy', () => assert.equal(isChanged, true));
`,
  );
  assert.equal((await sandbox.runTest('test/door.test.ts', 60_000)).verdict, 'failed');
  const door = 'shared/text/index.ts';
  sandbox.write(door, `${sandbox.read(door)}\nexport const isChanged = true;\n`);
  assert.equal((await sandbox.runTest('test/door.test.ts', 60_000)).verdict, 'passed');
  sandbox.write('test/loop.test.ts', 'for (;;);\n');
  assert.equal((await sandbox.runTest('test/loop.test.ts', 2_000)).verdict, 'timed out');
  assert.equal(readFileSync(path.join(ROOT, file), 'utf8'), source);
  assert.ok(!readFileSync(path.join(ROOT, door), 'utf8').includes('isChanged'));
}
