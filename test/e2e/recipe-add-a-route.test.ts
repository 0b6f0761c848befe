import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { followRecipe, readRecipe } from '../support/recipe.ts';
import { makeScratchCopy } from '../support/scratch-copy.ts';

describe('docs/recipes/add-a-route.md', () => {
  const copy = makeScratchCopy('recipe');
  const passes = (...args: string[]) => {
    const { passed, output } = copy.run(...args);
    assert.ok(passed, output);
    return output;
  };

  const steps = readRecipe(copy.read('docs/recipes/add-a-route.md'));

  test('its changes can be made, and its golden files written', () => {
    followRecipe(copy, steps);
    passes('scripts/golden.ts', '--write');
    passes('scripts/make-client.ts');
    const document = JSON.parse(copy.read('test/golden/openapi.json'));
    assert.equal(document.paths['/api/v1/plan'].get.operationId, 'getAccountPlan');
    assert.match(copy.read('shared/client/schema.ts'), /\bAccountPlan: \{/);
  });

  for (const [what, ...args] of [
    ['types', 'node_modules/typescript/bin/tsc', '-p', '.'],
    ['lint and format', 'node_modules/@biomejs/biome/bin/biome', 'check', ...steps.map(({ file }) => file)],
    ['import table', 'scripts/check-rooms.ts'],
    ['tests mirror sources', 'scripts/check-tests.ts'],
    ['the test of the route', '--test', 'test/cloud/routes/account-plan.test.ts'],
  ] satisfies readonly [string, ...string[]][]) {
    test(`passes: ${what}`, () => {
      passes(...args);
    });
  }
});
