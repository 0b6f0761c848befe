import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { followRecipe, readRecipe } from '../support/recipe.ts';
import { makeScratchCopy } from '../support/scratch-copy.ts';

const TSC = ['node_modules/typescript/bin/tsc', '-p', '.'];

describe('the recipes for a type of personal data, a kind of secret and a rule', () => {
  const copy = makeScratchCopy('recipe');
  const [type, kind, rule] = ['add-a-pii-type', 'add-a-secret-kind', 'add-a-rule'].map((name) =>
    readRecipe(copy.read(`docs/recipes/${name}.md`)),
  ) as [ReturnType<typeof readRecipe>, ReturnType<typeof readRecipe>, ReturnType<typeof readRecipe>];
  const presets = type.filter(({ file }) => file === 'shared/detection/presets.ts');

  test('a type that no preset names does not compile', () => {
    assert.equal(presets.length, 1);
    followRecipe(
      copy,
      type.filter((step) => !presets.includes(step)),
    );
    const { passed, output } = copy.run(...TSC);
    assert.equal(passed, false);
    assert.match(output, /shared\/detection\/presets\.ts.*'iban' is missing/);
    assert.equal(output.match(/error TS/g)?.length, 1, output);
  });

  test('their changes can be made, and the golden files written', () => {
    followRecipe(copy, [...presets, ...kind, ...rule]);
    const { passed, output } = copy.run('scripts/golden.ts', '--write');
    assert.ok(passed, output);
  });

  for (const [what, ...args] of [
    ['types', ...TSC],
    [
      'lint and format',
      'node_modules/@biomejs/biome/bin/biome',
      'check',
      ...[...type, ...kind, ...rule].map(({ file }) => file),
    ],
    ['import table', 'scripts/check-rooms.ts'],
    [
      'the tests of what was added',
      '--test',
      'test/shared/detection/pii/iban.test.ts',
      'test/shared/detection/pii/registry.test.ts',
      'test/shared/detection/secrets.test.ts',
      'test/shared/detection/rules.test.ts',
    ],
  ] satisfies readonly [string, ...string[]][]) {
    test(`passes: ${what}`, () => {
      const { passed, output } = copy.run(...args);
      assert.ok(passed, output);
    });
  }

  test('a key of the new kind is found', () => {
    const script = `
      import { piiSpans } from './shared/detection/index.ts';
      console.log(piiSpans('export TOKEN=exv_' + 'aB3'.repeat(13) + 'x').map(({ rule }) => rule).join());`;
    const { output } = copy.run('--input-type=module', '--eval', script);
    assert.equal(output.trim(), 'secret.example-vault');
  });
});
