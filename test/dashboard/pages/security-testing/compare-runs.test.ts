import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  compareRuns,
  failuresOf,
} from '../../../../apps/cloud/dashboard/src/pages/security-testing/compare-runs.ts';

const run = (outcomes: Readonly<Record<string, string>>) => ({
  tests: Object.entries(outcomes).map(([name, outcome]) => ({
    name,
    outcome,
    category: 'jailbreak',
    description: '',
    threat_type: null,
    confidence: 0,
  })),
});

test('tests with another outcome than before are listed, those that got worse first', () => {
  const before = run({ a: 'missed', b: 'blocked', c: 'blocked', gone: 'blocked' });
  const now = run({ a: 'blocked', b: 'missed', c: 'blocked', fresh: 'redacted' });
  assert.deepEqual(
    compareRuns(now, before).map(({ test: { name }, before: then, isWorse }) => [name, then, isWorse]),
    [
      ['b', 'blocked', true],
      ['a', 'missed', false],
      ['fresh', undefined, false],
    ],
  );
});

test('failures are listed', () => {
  const { tests } = run({ a: 'missed', b: 'passed', c: 'false_alarm', d: 'errored' });
  assert.deepEqual(
    failuresOf({ tests }).map(({ name }) => name),
    ['a', 'c', 'd'],
  );
});
