import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { isInPart, partOf } from '../support/part.ts';
import { followRecipe, readRecipe } from '../support/recipe.ts';
import { makeScratchCopy } from '../support/scratch-copy.ts';

const FOR_DETECTION = ['add-a-pii-type', 'add-a-secret-kind', 'add-a-rule', 'add-a-detector', 'add-a-step'];
const FOR_THE_SERVICE = [
  'add-a-route',
  'add-a-deciding-route',
  'add-a-webhook-event',
  'add-a-field-to-a-dashboard-list',
  'add-a-request-kind',
  'add-an-endpoint-kind',
];
/** A step of the decision, a reading, a route that decides, a kind of request or endpoint: sources that each may touch. */
const SMALL = [
  ...['add-a-step', 'add-a-detector', 'add-a-deciding-route', 'add-a-request-kind'],
  'add-an-endpoint-kind',
];
const MOST_SOURCES = 3;
const AGREEMENT = 'test/cloud/flows/decision/evaluate-agreement.test.ts';
const PRESETS = 'shared/detection/presets.ts';
const DETECTION_TYPES = 'tsconfig.detection.json';

/** All are followed in one copy, so that types and golden files are generated once. */
describe('the recipes', () => {
  const copy = makeScratchCopy('recipe');
  const passes = (...args: string[]) => {
    const { passed, output } = copy.run(...args);
    assert.ok(passed, output);
    return output;
  };

  const recipe = (name: string) => readRecipe(copy.read(`docs/recipes/${name}.md`));
  const steps = [...FOR_DETECTION, ...FOR_THE_SERVICE].flatMap(recipe);
  const presets = steps.filter(({ file }) => file === PRESETS);
  const tests = steps.map(({ file }) => file).filter((file) => file.endsWith('.test.ts'));
  const sources = steps.map(({ file }) => file).filter((file) => /\.tsx?$/.test(file));

  // Step by step: the presets come later.
  before(() => {
    assert.equal(presets.length, 1);
    followRecipe(
      copy,
      recipe('add-a-pii-type').filter(({ file }) => file !== PRESETS),
    );
  });

  if (isInPart('types of detection', 4))
    test('a type of personal data that no preset names does not compile', () => {
      const settings = JSON.parse(copy.read('tsconfig.json'));
      copy.write(DETECTION_TYPES, JSON.stringify({ ...settings, include: ['shared/detection/**/*.ts'] }));
      const { passed, output } = copy.run('node_modules/typescript/bin/tsc', '-p', DETECTION_TYPES);
      assert.equal(passed, false);
      assert.match(output, /shared\/detection\/presets\.ts.*'vehicle_id' is missing/);
      assert.equal(output.match(/error TS/g)?.length, 1, output);
    });

  test('their changes can be made', () => {
    followRecipe(copy, presets);
    const [, ...others] = [...FOR_DETECTION, ...FOR_THE_SERVICE];
    for (const name of others) followRecipe(copy, recipe(name));
    assert.equal(sources.filter((file) => copy.read(file) === '').length, 0);
  });

  for (const name of SMALL)
    test(`${name} touches at most ${MOST_SOURCES} sources beside its tests`, () => {
      const files = recipe(name).map(({ file }) => file);
      const touched = files.filter((file) => !file.startsWith('test/'));
      assert.ok(touched.length > 1 && touched.length <= MOST_SOURCES, touched.join(' '));
      assert.notEqual(files.length, touched.length, 'it is tested');
    });

  if (isInPart('golden files of the recipes', 4))
    test('the golden files and the client are written', () => {
      passes('scripts/golden.ts', '--write');
      const document = JSON.parse(copy.read('test/golden/openapi.json'));
      assert.equal(document.paths['/api/v1/plan'].get.operationId, 'getAccountPlan');
      assert.ok('key.created' in document.webhooks);
      assert.ok('created_by_email' in document.components.schemas.DashboardApiKey.properties);
      assert.match(copy.read('shared/client/schema.ts'), /\bAccountPlan: \{/);
      assert.match(copy.read('shared/client/schema.ts'), /\bKeyCreatedEvent: \{/);
    });

  const checks: readonly [string, ...string[]][] = [
    ['types', 'node_modules/typescript/bin/tsc', '-p', '.'],
    ['types of the dashboard', 'node_modules/typescript/bin/tsc', '-p', 'apps/cloud/dashboard'],
    ['lint and format', 'node_modules/@biomejs/biome/bin/biome', 'check', ...sources],
    ['import table', 'scripts/check-modules.ts'],
    ['tests mirror sources', 'scripts/check-tests.ts'],
    ['documents', 'scripts/check-docs.ts'],
    [
      'tests of detection',
      '--test',
      'test/shared/detection/pii/registry.test.ts',
      'test/shared/detection/secrets.test.ts',
      'test/shared/detection/rules.test.ts',
    ],
    ...tests
      .filter((file) => file !== AGREEMENT)
      .map((file): [string, ...string[]] => [file, '--test', file]),
    [
      'a new route answers what it records',
      ...['--test', '--test-name-pattern=^document: .*(?:preset|endpoint), engine', AGREEMENT],
    ],
  ];
  for (const [what, ...args] of partOf('checks of the recipes', checks, 2)) {
    test(`passes: ${what}`, () => {
      passes(...args);
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
