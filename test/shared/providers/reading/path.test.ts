import assert from 'node:assert/strict';
import { it } from 'node:test';
import { childPointer } from '../../../../shared/providers/reading/path.ts';

it('steps are escaped as in a JSON pointer, and no path grows without bound', () => {
  assert.equal(childPointer('/a', 'b'), '/a/b');
  assert.equal(childPointer('', 'a/b~c'), '/a~1b~0c');
  const long = childPointer('', 'n'.repeat(5_000));
  assert.ok(long.length < 100 && long !== childPointer('', 'n'.repeat(5_001)), long);
  let path = '';
  for (let i = 0; i < 1_000; i++) path = childPointer(path, `name${i}`);
  assert.ok(path.length < 1_200, `${path.length}`);
});

it('names and paths are cut at their limits, and stay distinct', () => {
  const name = 'n'.repeat(128);
  assert.equal(childPointer('/a', name), `/a/${name}`);
  const cut = childPointer('/a', `${name}m`);
  assert.match(cut, /^\/a\/n{32}…129\.\w+$/);
  const path = `/${'p'.repeat(1_023)}`;
  assert.equal(childPointer(path, 'x'), `${path}/x`);
  assert.match(childPointer(`${path}p`, 'x'), /^\/…1025\.\w+\/x$/);
  for (const other of [`m${name}`, `${name}n`, `${name.slice(1)}mn`, `${name.slice(2)}mnn`])
    assert.notEqual(childPointer('/a', other), cut, other);
  assert.equal(childPointer('', 'a~b'), '/a~0b');
  assert.equal(childPointer('', 'a/b'), '/a~1b');
});
