import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileRuleset, decide, scan } from '@csg/shared/detection';
import type { TextSlot } from '@csg/shared/text';
import { blockUnwritable } from '../../../apps/cloud/src/flows/block-unwritable.ts';

const ruleset = compileRuleset({ useCase: 'default', strictness: 'moderate', policies: [] });
const evaluate = (slots: readonly TextSlot[]) =>
  blockUnwritable(decide(scan(slots, ruleset, 'input'), ruleset, 'input'), slots);
const slot = (path: string, text: string): TextSlot => ({ path, role: 'user', text });
const SSN = slot('/messages/0/content', 'SSN: 536-90-4399');
const PDF = slot('/messages/0/content/0/file/file_data~pdf/visible/0', 'mail ana@example.com');

test('a text that can be masked is masked', () => {
  const verdict = evaluate([SSN]);
  assert.equal(verdict.decision, 'redact');
  assert.equal(verdict.replacements.size, 1);
});

test('a file that needs a mask blocks the request, under its own threat, with a reason', () => {
  const verdict = evaluate([SSN, PDF]);
  assert.deepEqual([verdict.decision, verdict.threatType], ['block', 'pii_leak']);
  assert.equal(verdict.replacements.size, 0);
  assert.match(verdict.threats[0]?.details ?? '', /It is in a file and cannot be masked there\.$/);
});

test('a text joined from parts is masked, as the parts have positions', () => {
  const parts = [{ path: '/messages/0/content/0/text', from: 0, start: 0, end: 16 }];
  assert.equal(evaluate([{ ...SSN, path: '#joined:/messages/0/content', parts }]).decision, 'redact');
});
