import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutText } from '../../../../apps/cloud/dashboard/src/pages/playground/cut-text.ts';

const finding = (start: number, end: number, confidence: number) => ({
  message: 0,
  rule: `rule-${confidence}`,
  type: 'jailbreak' as const,
  start,
  end,
  confidence,
  reason: '',
});

test('a text is cut where findings and words begin and end, and nothing of it is lost', () => {
  const pieces = cutText(20, {
    findings: [finding(5, 15, 0.6), finding(8, 12, 0.9)],
    words: [{ start: 0, end: 6, weight: 1.2, meaning: '' }],
  });
  assert.deepEqual(
    pieces.map(({ start, end, finding: found, weight }) => [start, end, found?.confidence ?? null, weight]),
    [
      [0, 5, null, 1.2],
      [5, 6, 0.6, 1.2],
      [6, 8, 0.6, 0],
      [8, 12, 0.9, 0],
      [12, 15, 0.6, 0],
      [15, 20, null, 0],
    ],
  );
});

test('a finding that reaches past the text is cut off', () => {
  const pieces = cutText(4, { findings: [finding(2, 9, 0.5)], words: [] });
  assert.deepEqual(
    pieces.map(({ start, end }) => [start, end]),
    [
      [0, 2],
      [2, 4],
    ],
  );
  assert.deepEqual(cutText(0, { findings: [], words: [] }), []);
});
