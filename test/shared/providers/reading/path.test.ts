import assert from 'node:assert/strict';
import { it } from 'node:test';
import { childPointer } from '../../../../shared/providers/reading/path.ts';

it('a step is one of a JSON pointer, and no path grows without bound', () => {
  assert.equal(childPointer('/a', 'b'), '/a/b');
  assert.equal(childPointer('', 'a/b~c'), '/a~1b~0c');
  const long = childPointer('', 'n'.repeat(5_000));
  assert.ok(long.length < 100 && long !== childPointer('', 'n'.repeat(5_001)), long);
  let path = '';
  for (let i = 0; i < 1_000; i++) path = childPointer(path, `name${i}`);
  assert.ok(path.length < 1_200, `${path.length}`);
});
