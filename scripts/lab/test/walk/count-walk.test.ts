import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countWalk } from '../../walk/count-walk.ts';

const call = (...files: string[]) => ({ file: files.at(-1)!, callers: files.slice(0, -1) });

test('a return is a call into a folder that the chain of calls had left', () => {
  const calls = [call('a/one.ts'), call('a/one.ts', 'b/two.ts'), call('a/one.ts', 'b/two.ts', 'a/three.ts')];
  assert.deepEqual(countWalk(calls), { files: 3, folders: 2, modules: 1, returns: 1, readingReturns: 1 });
  const twice = [...calls, call('a/one.ts', 'b/two.ts', 'a/three.ts', 'a/four.ts')];
  assert.equal(countWalk(twice).returns, 1, 'the same call counts once');
});

test('who reads the files in the order of their first calls goes back more often', () => {
  const calls = ['b/two.ts', 'a/three.ts', 'b/four.ts', 'a/five.ts'].map((file) => call('a/one.ts', file));
  assert.deepEqual(countWalk([call('a/one.ts'), ...calls]), {
    ...{ files: 5, folders: 2, modules: 1, returns: 0, readingReturns: 3 },
  });
});

test('a folder may count as one with all below it', () => {
  const calls = [call('a/one.ts'), call('a/one.ts', 'b/c/two.ts', 'b/d/three.ts', 'b/c/four.ts')];
  assert.equal(countWalk(calls).returns, 1);
  assert.equal(countWalk(calls, ['b']).returns, 0);
  assert.equal(countWalk(calls, ['b']).folders, 2);
});
