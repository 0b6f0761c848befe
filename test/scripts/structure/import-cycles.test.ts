import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importCycles } from '../../../scripts/structure/import-cycles.ts';

const cyclesOf = (imports: Readonly<Record<string, readonly string[]>>) =>
  importCycles(new Map(Object.entries(imports)));

test('files that only import forward are no cycle, however often they meet', () => {
  assert.deepEqual(cyclesOf({ a: ['b', 'c'], b: ['c'], c: ['outside'], d: ['a', 'c'] }), []);
});

test('two files, and a longer way round, are named once', () => {
  assert.deepEqual(cyclesOf({ b: ['a'], a: ['b', 'c'], c: [] }), [['a', 'b']]);
  assert.deepEqual(cyclesOf({ a: ['b'], b: ['c'], c: ['d', 'a'], d: [], e: ['f'], f: ['e'] }), [
    ['a', 'b', 'c'],
    ['e', 'f'],
  ]);
});

test('what leads into a cycle, or out of it, is not part of it', () => {
  assert.deepEqual(cyclesOf({ in: ['a'], a: ['b'], b: ['a', 'out'], out: [] }), [['a', 'b']]);
});
