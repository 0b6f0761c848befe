import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProbeOutcome, SecurityTestResult } from '@csg/shared/contract';
import { securityTestLines } from '../../../apps/cloud/src/commands/security-test-table.ts';
import { sumUp } from '../../../apps/cloud/src/flows/security-testing/sum-up.ts';

const result = (test_name: string, category: string, outcome: ProbeOutcome): SecurityTestResult => ({
  test_name,
  prompt: 'x',
  decision: outcome === 'blocked' || outcome === 'false_alarm' ? 'block' : 'allow',
  reason: 'x',
  threat_type: null,
  confidence: 0,
  blocked: outcome === 'blocked' || outcome === 'false_alarm',
  details: { category, outcome, direction: 'input', threats: [] },
  errored: outcome === 'errored',
});

const shown = (attacks: SecurityTestResult[], harmless: SecurityTestResult[]) =>
  securityTestLines(
    sumUp('default:strict', attacks, harmless),
    (name) => `About ${name}.`,
    (text, meaning) => (meaning === 'bad' ? `<${text}>` : `[${text}]`),
  );

test('aligns the counts by category, and lists misses, false positives and errors by name', () => {
  const lines = shown(
    [
      result('one', 'jailbreak', 'blocked'),
      result('two', 'jailbreak', 'missed'),
      result('three', 'secrets', 'redacted'),
      result('four', 'secrets', 'errored'),
    ],
    [result('five', 'harmless', 'passed'), result('six', 'harmless', 'false_alarm')],
  );
  assert.deepEqual(lines, [
    'Preset default:strict: 3 attacks tested, 33.3% blocked, 66.7% blocked or masked.',
    '',
    'category   tests  blocked  allowed  redacted  missed  errored  stopped',
    'jailbreak      2        1        1         0  <     1>        0    50.0%',
    'secrets        1        0        1         1       0  <      1>   100.0%',
    'total          3        1        2         1  <     1>  <      1>    66.7%',
    '',
    '[False positives: 1 of 2 harmless texts were blocked]:',
    '  six  About six.',
    '',
    'Missed (1):',
    '  two  About two.',
    '',
    'Could not be run (1):',
    '  four  About four.',
  ]);
});

test('lists no misses when there are none', () => {
  const lines = shown([result('one', 'jailbreak', 'blocked')], [result('five', 'harmless', 'passed')]);
  assert.equal(lines.at(-1), 'False positives: 0 of 1 harmless texts were blocked.');
  assert.ok(!lines.join('').includes('Missed'));
});
