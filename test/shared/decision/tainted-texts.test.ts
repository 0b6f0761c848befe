import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideFindings, type Judged, taintedTexts } from '../../../shared/decision/index.ts';
import { compileRuleset, type Finding, WITHHELD } from '../../../shared/detection/index.ts';
import type { TextSlot } from '../../../shared/text/index.ts';

const slots: readonly TextSlot[] = [
  { path: '/a', role: 'tool_result', text: 'x'.repeat(100) },
  { path: '/b', role: 'tool_result', text: 'y'.repeat(100) },
];
const finding = (slot: number, start: number, end: number): Finding => ({
  ...{
    slot,
    start,
    end,
    type: 'indirect_prompt_injection',
    rule: 'test',
    confidence: 0.9,
    reason: 'Because.',
  },
  withheld: [{ start, end, scope: { start: 0, end: 100 } }],
});
const ruleset = compileRuleset({ useCase: 'default', strictness: 'moderate', policies: [] });

test('passages that are withheld or reported taint their values, in one span where they touch', () => {
  const findings = [finding(1, 10, 20), finding(1, 15, 22)];
  for (const setting of ['withhold', 'monitor', 'block'] as const) {
    const verdict = decideFindings(findings, ruleset, 'input', setting);
    assert.deepEqual(taintedTexts(verdict, { slots }), [
      { slot: slots[1], passages: [{ start: 10, end: 22 }] },
    ]);
  }
});

test('what an allowed text or an exception lets pass taints nothing', () => {
  const [judged] = decideFindings([finding(0, 1, 9)], ruleset, 'input', 'withhold').judged as [Judged];
  const lifted = { judged: [{ ...judged, isLifted: true }], replacements: new Map() };
  assert.deepEqual(taintedTexts(lifted, { slots }), []);
});

test('passages that the service withheld taint as those that were found here; masks do not', () => {
  const replacements = new Map([
    [0, [{ start: 5, end: 8, text: '[EMAIL]' }]],
    [1, [{ start: 2, end: 30, text: WITHHELD }]],
  ]);
  const [only, ...others] = taintedTexts({ judged: [], replacements }, { slots });
  assert.deepEqual(
    [only?.slot.path, only?.passages.map(({ start, end }) => [start, end])],
    ['/b', [[2, 30]]],
  );
  assert.deepEqual(others, []);
});
