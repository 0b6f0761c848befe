import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AREAS, mostSpecific, sampleMutants, scoreOf } from '../mutate.ts';
import { mutantsOf } from '../mutation/mutants.ts';

const MUTANTS = mutantsOf('a.ts', 'const a = b < c && d > e || f === g;\nif (h) i(); else j();\n');

test('a seed chooses the same mutants again, another seed others, never two at one place', () => {
  const places = (seed: number) => sampleMutants(MUTANTS, 4, seed).map(({ start }) => start);
  assert.deepEqual(places(1), places(1));
  assert.notDeepEqual(places(1), places(2));
  assert.equal(
    new Set(sampleMutants(MUTANTS, 100, 3).map(({ start }) => start)).size,
    sampleMutants(MUTANTS, 100, 3).length,
  );
});

test('a mutant that hangs counts as caught, an untested one does not', () => {
  const [one] = MUTANTS;
  assert.ok(one !== undefined);
  assert.equal(scoreOf({ area: 'x', killed: 6, hung: 2, survivors: [one], untested: [one] }), 0.8);
  assert.equal(scoreOf({ area: 'x', killed: 0, hung: 0, survivors: [], untested: [] }), 1);
});

test('the areas are the required ones', () => {
  assert.deepEqual(Object.keys(AREAS), ['flows', 'storage', 'shared', 'inspection']);
});

test('tests that run little are asked first', () => {
  const ran = (...files: readonly [string, number][]) =>
    new Map(files.map(([file, count]) => [file, new Set(Array.from({ length: count }, String))] as const));
  const reach = new Map([
    ['wide.test.ts', ran(['a.ts', 3], ['b.ts', 2])],
    ['narrow.test.ts', ran(['a.ts', 4])],
  ]);
  assert.deepEqual(mostSpecific(['wide.test.ts', 'narrow.test.ts'], reach), [
    'narrow.test.ts',
    'wide.test.ts',
  ]);
});
