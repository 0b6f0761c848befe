import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { openSandbox, type Sandbox } from '../../mutation/sandbox.ts';

const ROOT = path.resolve(import.meta.dirname, '../../../..');

test('tests run in the copy with its changes, and the project stays unchanged', async (t) => {
  const sandbox = await openSandbox(ROOT);
  t.after(() => sandbox.remove());
  await run(sandbox);
});

async function run(sandbox: Sandbox): Promise<void> {
  const file = 'shared/text/spans.ts';
  const source = readFileSync(path.join(ROOT, file), 'utf8');
  sandbox.write(
    'test/entry.test.ts',
    `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isChanged } from '@csg/shared/text';
test('the entry point leads to the copy', () => assert.equal(isChanged, true));
`,
  );
  assert.equal((await sandbox.runTests(['test/entry.test.ts'], 60_000)).verdict, 'failed');
  const entryPoint = 'shared/text/index.ts';
  sandbox.write(entryPoint, `${sandbox.read(entryPoint)}\nexport const isChanged = true;\n`);
  assert.equal((await sandbox.runTests(['test/entry.test.ts'], 60_000)).verdict, 'passed');
  const ofOneWorkspace = "import '../apps/cloud/src/timestamps/timestamp-authority.ts';\n";
  sandbox.write('test/packages.test.ts', ofOneWorkspace);
  assert.equal((await sandbox.runTests(['test/packages.test.ts'], 60_000)).verdict, 'passed');
  sandbox.write('test/loop.test.ts', 'for (;;);\n');
  assert.equal((await sandbox.runTests(['test/loop.test.ts'], 2_000)).verdict, 'timed out');
  await runGroup(sandbox);
  assert.equal(readFileSync(path.join(ROOT, file), 'utf8'), source);
  assert.ok(!readFileSync(path.join(ROOT, entryPoint), 'utf8').includes('isChanged'));
}

/** Two files in one process: one that fails ends both. */
async function runGroup(sandbox: Sandbox): Promise<void> {
  const group = ['one', 'other'].map((name) => {
    const test = `test/shared/${name}.test.ts`;
    sandbox.write(test, `import { test } from 'node:test';\ntest('${name}', () => {});\n`);
    return test;
  });
  assert.deepEqual(sandbox.groupsOf(group), [group]);
  assert.equal((await sandbox.runTests(group, 60_000)).verdict, 'passed');
  sandbox.write(group[0]!, "import { test } from 'node:test';\ntest('fails', () => assert.fail());\n");
  sandbox.write(group[1]!, "import { test } from 'node:test';\ntest('hangs', () => { for (;;); });\n");
  assert.equal((await sandbox.runTests(group, 60_000)).verdict, 'failed');
}
