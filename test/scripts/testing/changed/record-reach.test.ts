import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { joinReached, type Reached } from '../../../../scripts/testing/changed/reach-map.ts';
import { recordReach } from '../../../../scripts/testing/changed/record-reach.ts';
import { partsOf } from '../../../../scripts/testing/changed/source-parts.ts';
import { SEVERAL_FILES } from '../../../../scripts/testing/run-test-files.ts';
import { runCommand } from '../../../support/run-command.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const FILES: Readonly<Record<string, string>> = {
  'package.json': '{"type":"module"}',
  'add.ts': 'export const add = (a: number, b: number) => a + b; export function less() {}',
  'loaded.ts': 'export const unused = () => 1;',
  'child.ts': "import { add } from './add.ts'; process.stdout.write(String(add(1, 2)));",
  'one.test.ts': `import { test } from 'node:test'; import { add } from './add.ts'; import './loaded.ts';
    test('adds', () => { add(1, 1); });`,
  // A test of coverage leaves folders of its own where coverage is written.
  'two.test.ts': `import { mkdirSync } from 'node:fs'; import { test } from 'node:test'; import './add.ts';
    mkdirSync(process.env.NODE_V8_COVERAGE + '/own'); test('does nothing', () => {});`,
  // Loads nothing that was not loaded before.
  'again.test.ts': `import { test } from 'node:test'; import { add } from './add.ts';
    test('adds again', () => { add(1, 1); });`,
  'three.test.ts': `import { execFileSync } from 'node:child_process'; import { test } from 'node:test';
    test('starts a process', () => { execFileSync(process.execPath, ['child.ts']); });`,
};

test('records the functions that each test file ran, also in processes', async () => {
  const root = tempFolder('reach');
  mkdirSync(root, { recursive: true });
  for (const [name, text] of Object.entries(FILES)) writeFileSync(path.join(root, name), text);
  const group: [string, ...string[]] = [
    path.join(root, 'one.test.ts'),
    path.join(root, 'two.test.ts'),
    path.join(root, 'again.test.ts'),
    path.join(root, 'three.test.ts'),
  ];
  const reached = new Map<string, Reached>();
  const around = recordReach(root, (name, files) => {
    reached.set(name, joinReached(reached.get(name) ?? new Map(), files));
  });
  await around.runGroup(group, async ({ NODE_TEST_CONTEXT: _context, ...env }) => {
    const { code, stdout } = await runCommand(process.execPath, [SEVERAL_FILES, ...group], { env, cwd: root })
      .ended;
    assert.equal(code, 0, stdout);
    return 'ended';
  });
  const [outside, add, unused] = partsOf('add.ts', FILES['add.ts']!).map(({ digest }) => digest);
  const ran = (name: string) => [...(reached.get(name)?.get('add.ts') ?? [])];
  assert.deepEqual(ran('one.test.ts'), [outside, add]);
  assert.deepEqual(ran('two.test.ts'), []);
  assert.deepEqual(ran('again.test.ts'), [outside, add]);
  assert.deepEqual(ran('three.test.ts'), [outside, add]);
  assert.notEqual(unused, undefined);
  assert.equal(reached.get('one.test.ts')?.has('loaded.ts'), false);

  // The part of a test that was stopped does not say what the whole test runs.
  const [one] = group;
  reached.clear();
  await around.runGroup([one], async () => 'stopped');
  assert.equal(reached.size, 0);
});
