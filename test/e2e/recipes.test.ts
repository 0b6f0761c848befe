import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { followRecipe, readRecipe } from '../support/recipe.ts';
import { makeScratchCopy } from '../support/scratch-copy.ts';

/** Followed one after the other in one copy, so that types and golden files are made once. */
const RECIPES = ['add-a-route', 'add-a-webhook-event', 'add-a-field-to-a-dashboard-list'];

describe('the recipes for what the service serves', () => {
  const copy = makeScratchCopy('recipe');
  const passes = (...args: string[]) => {
    const { passed, output } = copy.run(...args);
    assert.ok(passed, output);
    return output;
  };

  const steps = RECIPES.flatMap((name) => readRecipe(copy.read(`docs/recipes/${name}.md`)));
  const tests = steps.map(({ file }) => file).filter((file) => file.endsWith('.test.ts'));
  const sources = steps.map(({ file }) => file).filter((file) => /\.tsx?$/.test(file));

  test('their changes can be made, and the golden files written', () => {
    for (const name of RECIPES) followRecipe(copy, readRecipe(copy.read(`docs/recipes/${name}.md`)));
    passes('scripts/golden.ts', '--write');
    passes('scripts/make-client.ts');
    const document = JSON.parse(copy.read('test/golden/openapi.json'));
    assert.equal(document.paths['/api/v1/plan'].get.operationId, 'getAccountPlan');
    assert.ok('key.created' in document.webhooks);
    assert.ok('created_by_email' in document.components.schemas.DashboardApiKey.properties);
    assert.match(copy.read('shared/client/schema.ts'), /\bAccountPlan: \{/);
    assert.match(copy.read('shared/client/schema.ts'), /\bKeyCreatedEvent: \{/);
  });

  for (const [what, ...args] of [
    ['types', 'node_modules/typescript/bin/tsc', '-p', '.'],
    ['types of the dashboard', 'node_modules/typescript/bin/tsc', '-p', 'apps/cloud/dashboard'],
    ['lint and format', 'node_modules/@biomejs/biome/bin/biome', 'check', ...sources],
    ['import table', 'scripts/check-rooms.ts'],
    ['tests mirror sources', 'scripts/check-tests.ts'],
    ['documents', 'scripts/check-docs.ts'],
    ...tests.map((file): [string, ...string[]] => [file, '--test', file]),
  ] satisfies readonly [string, ...string[]][]) {
    test(`passes: ${what}`, () => {
      passes(...args);
    });
  }
});
