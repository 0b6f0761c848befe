import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { hasRun } from '../../mutation/coverage.ts';
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
  sandbox.write('test/loop.test.ts', 'for (;;);\n');
  assert.equal((await sandbox.runTests(['test/loop.test.ts'], 2_000)).verdict, 'timed out');
  await runGroup(sandbox);
  assert.equal(readFileSync(path.join(ROOT, file), 'utf8'), source);
  assert.ok(!readFileSync(path.join(ROOT, entryPoint), 'utf8').includes('isChanged'));
}

/** Two files in one process: coverage is separate for each, and one that fails ends both. */
async function runGroup(sandbox: Sandbox): Promise<void> {
  const sources = { 'shared/text/one.ts': 'one', 'shared/text/other.ts': 'other' };
  const group = Object.entries(sources).map(([file, name]) => {
    sandbox.write(file, `export const loaded = '${name}';\nexport function ${name}() {\n  return 1;\n}\n`);
    const test = `test/shared/${name}.test.ts`;
    sandbox.write(
      test,
      `import { test } from 'node:test';
import { ${name} } from '../../${file}';
test('${name}', () => void ${name}());
`,
    );
    return test;
  });
  assert.deepEqual(sandbox.groupsOf(group), [group]);
  const covered = await sandbox.cover(group, new Set(Object.keys(sources)));
  for (const [index, test] of group.entries()) {
    const ran = Object.keys(sources).map((file) => {
      const { coverage } = covered.get(test)!;
      const offset = (text: string) => sandbox.read(file).indexOf(text);
      return [hasRun(coverage, file, offset('loaded')), hasRun(coverage, file, offset('return'))];
    });
    // The group loaded them.
    assert.deepEqual(
      ran,
      index === 0
        ? [
            [true, true],
            [true, false],
          ]
        : [
            [true, false],
            [true, true],
          ],
    );
  }
  assert.equal((await sandbox.runTests(group, 60_000)).verdict, 'passed');
  sandbox.write(group[0]!, "import { test } from 'node:test';\ntest('fails', () => assert.fail());\n");
  sandbox.write(group[1]!, "import { test } from 'node:test';\ntest('hangs', () => { for (;;); });\n");
  assert.equal((await sandbox.runTests(group, 60_000)).verdict, 'failed');
}
