import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importCycles } from '../../../scripts/structure/import-cycles.ts';

const cyclesOf = (imports: Readonly<Record<string, readonly string[]>>) =>
  importCycles(new Map(Object.entries(imports)));

test('files that only import forward form no cycle, however often they meet', () => {
  assert.deepEqual(cyclesOf({ a: ['b', 'c'], b: ['c'], c: ['outside'], d: ['a', 'c'] }), []);
});

test('names a cycle of two files, and a longer one, once', () => {
  assert.deepEqual(cyclesOf({ b: ['a'], a: ['b', 'c'], c: [] }), [['a', 'b']]);
  assert.deepEqual(cyclesOf({ a: ['b'], b: ['c'], c: ['d', 'a'], d: [], e: ['f'], f: ['e'] }), [
    ['a', 'b', 'c'],
    ['e', 'f'],
  ]);
});

test('files that lead into or out of a cycle are not part of it', () => {
  assert.deepEqual(cyclesOf({ in: ['a'], a: ['b'], b: ['a', 'out'], out: [] }), [['a', 'b']]);
});
