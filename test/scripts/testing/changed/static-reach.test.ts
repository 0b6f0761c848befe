import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openNames } from '../../../../scripts/testing/changed/static-reach.ts';

const FILES: Readonly<Record<string, string>> = {
  'test/a.test.ts': "import { b } from '../apps/b.ts';\nimport type { T } from '../apps/types.ts';\n",
  'test/entry.test.ts': "import { x } from '@csg/shared/text';\n",
  'test/program.test.ts': "const cli = path.join(root, 'apps', 'main.ts');\n",
  'apps/b.ts': "export { c } from './c.ts';\nconst later = () => import('./later.ts');\n",
  'apps/c.ts': "const thread = new URL('./thread.ts', import.meta.url);\n",
  'apps/later.ts': '',
  'apps/thread.ts': "import './b.ts';\n",
  'apps/types.ts': '',
  'apps/main.ts': "import './b.ts';\n",
  'shared/text/index.ts': "export * from './x.ts';\n",
  'shared/text/x.ts': '',
};
const namesOf = openNames(Object.keys(FILES), (file) => FILES[file] ?? '');
function reached(file: string): string[] {
  const all = new Set([file]);
  for (const one of all) for (const next of namesOf(one)) all.add(next);
  all.delete(file);
  return [...all].sort();
}

test('a test reaches its imports, also dynamic ones, threads, entry points of modules and programs it names', () => {
  const byB = ['apps/b.ts', 'apps/c.ts', 'apps/later.ts', 'apps/thread.ts'];
  assert.deepEqual(reached('test/a.test.ts'), byB);
  assert.deepEqual(reached('test/entry.test.ts'), ['shared/text/index.ts', 'shared/text/x.ts']);
  assert.deepEqual(reached('test/program.test.ts'), [...byB, 'apps/main.ts'].sort());
});
