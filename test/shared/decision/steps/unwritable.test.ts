import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Delivery, decideNow } from '../../../../shared/decision/index.ts';
import { compileRuleset, scan } from '../../../../shared/detection/index.ts';
import { conversationOf, type TextSlot } from '../../../../shared/text/index.ts';

const ruleset = compileRuleset({ useCase: 'default', strictness: 'moderate', policies: [] });
const evaluate = (slots: readonly TextSlot[], delivery: Delivery = 'written') =>
  decideNow({
    texts: { conversation: conversationOf(slots), unread: [] },
    scan: { kind: 'read', found: [{ direction: 'input', findings: scan(slots, ruleset, 'input') }] },
    rules: { ruleset, untrustedData: 'withhold' },
    ...{ delivery, calls: null, answers: {} },
  });
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

test('where nothing is masked, the caller is told, the content is blocked, or goes on with a warning', () => {
  const decisions = (['told', 'whole', 'unchanged'] as const).map((delivery) => {
    const { decision, threats, replacements } = evaluate([SSN], delivery);
    return [decision, threats[0]?.type, replacements.size];
  });
  assert.deepEqual(decisions, [
    ['redact', 'pii_leak', 1],
    ['block', 'pii_leak', 0],
    ['allow', 'pii_leak', 0],
  ]);
});
