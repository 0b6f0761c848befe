import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProbeOutcome, SecurityTestResult } from '@csg/shared/contract';
import { countResults, sumUp } from '../../../../apps/cloud/src/flows/security-testing/sum-up.ts';

const DECISIONS = {
  blocked: 'block',
  false_alarm: 'block',
  redacted: 'redact',
  missed: 'allow',
  passed: 'allow',
  errored: 'error',
} as const;

const result = (outcome: ProbeOutcome, category = 'direct_injection'): SecurityTestResult => ({
  test_name: 'x',
  prompt: 'x',
  decision: DECISIONS[outcome],
  reason: 'x',
  threat_type: null,
  confidence: 0,
  blocked: DECISIONS[outcome] === 'block',
  details: { category, outcome, direction: 'input', threats: [] },
  errored: outcome === 'errored',
});
const all = (...outcomes: ProbeOutcome[]) => outcomes.map((outcome) => result(outcome));

test('errored probes count in no number but their own', () => {
  const counts = countResults(all('blocked', 'blocked', 'redacted', 'missed', 'errored', 'errored'));
  assert.deepEqual(counts, {
    total_tests: 4,
    blocked: 2,
    allowed: 2,
    redacted: 1,
    missed: 1,
    block_rate: 0.5,
    stopped_rate: 0.75,
    errored_count: 2,
  });
  const none = countResults(all('errored'));
  assert.deepEqual([none.total_tests, none.block_rate, none.errored_count], [0, 0, 1]);
  assert.equal(countResults(all('blocked', 'missed', 'missed')).block_rate, 0.3333);
});

test('harmless probes change no number of the attacks', () => {
  const attacks = [...all('blocked', 'missed'), result('blocked', 'encoded')];
  const before = sumUp('default:strict', attacks, []);
  const after = sumUp('default:strict', attacks, all('passed', 'false_alarm', 'redacted', 'errored'));
  assert.equal(after.report_version, 2);
  for (const name of ['total_tests', 'blocked', 'allowed', 'block_rate', 'errored_count'] as const) {
    assert.equal(after[name], before[name], name);
  }
  assert.equal(before.false_alarms, 0);
  assert.equal(after.false_alarms, 1);
  const { results, ...counts } = after.harmless;
  assert.equal(results.length, 4);
  assert.deepEqual(counts, { total_tests: 3, blocked: 1, allowed: 2, redacted: 1, errored_count: 1 });
  assert.deepEqual(
    after.categories.map(({ category, total_tests, blocked }) => [category, total_tests, blocked]),
    [
      ['direct_injection', 2, 1],
      ['encoded', 1, 1],
    ],
  );
});
