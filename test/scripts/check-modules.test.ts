import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labViolations } from '../../scripts/check-modules.ts';

test('only the laboratory, and the tests that are listed, may import it', () => {
  const target = 'scripts/lab/detector/grammar.ts';
  const files = [
    'apps/cloud/src/main.ts',
    'scripts/demo.ts',
    'scripts/lab/eval.ts',
    'test/shared/detection/model-budget.test.ts',
  ];
  const violations = labViolations(new Map(files.map((file) => [file, ['scripts/options.ts', target]])));
  assert.deepEqual(
    violations.map(({ file, text }) => `${file} ${text}`),
    ['apps/cloud/src/main.ts', 'scripts/demo.ts'].map(
      (file) => `${file} may not import ${target}: the laboratory is no part of the product`,
    ),
  );
});
