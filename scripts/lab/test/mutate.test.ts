import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AREAS, nearestFirst, sampleMutants, scoreOf } from '../mutate.ts';
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

test('tests named like a changed file run first', () => {
  const tests = [
    'test/cloud/flows/a.test.ts',
    'test/cloud/routes/b.test.ts',
    'test/cloud/routes/keys.test.ts',
  ];
  assert.deepEqual(nearestFirst(tests, new Set(['apps/cloud/src/flows/change-keys.ts'])), [
    'test/cloud/flows/a.test.ts',
    'test/cloud/routes/keys.test.ts',
    'test/cloud/routes/b.test.ts',
  ]);
});
