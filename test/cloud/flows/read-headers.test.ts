import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EMPTY_VERDICT, type Verdict } from '@csg/shared/decision';
import { readHeaders } from '../../../apps/cloud/src/flows/read-headers.ts';

const HEADERS = { 'request-id': 'req_1', 'openai-note': 'ssn 536-90-4399', 'retry-after': '3' };
const at = HEADERS['request-id'].length + 1 + 'ssn '.length;
const SPAN = { start: at, end: at + 11 };

function verdict(change: Partial<Verdict>): Verdict {
  return { ...EMPTY_VERDICT, confidence: 1, threatType: 'pii_leak', ...change };
}

test('all values form one text; without a finding they are returned as they were', () => {
  const { slot, shown } = readHeaders(HEADERS);
  assert.equal(slot?.text, 'req_1\nssn 536-90-4399\n3');
  assert.deepEqual(shown({ decision: 'allow', verdict: verdict({}) }, 0), HEADERS);
  assert.equal(readHeaders({}).slot, null);
});

test('only the masked value changes', () => {
  const replacements = new Map([[7, [{ ...SPAN, text: '[SSN]' }]]]);
  const evaluated = { decision: 'redact' as const, verdict: verdict({ decision: 'redact', replacements }) };
  assert.deepEqual(readHeaders(HEADERS).shown(evaluated, 7), { ...HEADERS, 'openai-note': 'ssn [SSN]' });
});

test('a blocked response loses the header with the finding, and keeps the others', () => {
  const finding = { ...SPAN, slot: 2, type: 'pii_leak', rule: 'pii.ssn', confidence: 1, reason: '' } as const;
  const evaluated = {
    decision: 'block' as const,
    verdict: verdict({ decision: 'block', findings: [finding, { ...finding, slot: 0, start: 0, end: 3 }] }),
  };
  assert.deepEqual(readHeaders(HEADERS).shown(evaluated, 2), {
    'request-id': 'req_1',
    'retry-after': '3',
  });
});

test('a finding across two values masks both', () => {
  const replacements = new Map([[0, [{ start: 2, end: 9, text: '[X]' }]]]);
  const evaluated = { decision: 'redact' as const, verdict: verdict({ decision: 'redact', replacements }) };
  const shown = readHeaders(HEADERS).shown(evaluated, 0);
  assert.deepEqual([shown['request-id'], shown['openai-note']], ['re[X]', '[X] 536-90-4399']);
});
