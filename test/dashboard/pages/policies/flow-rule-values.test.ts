import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FlowRule } from '@csg/shared/contract';
import {
  EMPTY_FLOW_RULE,
  flowRuleOf,
  flowRuleValuesOf,
} from '../../../../apps/cloud/dashboard/src/pages/policies/flow-rule-values.ts';

test('a rule goes through the form and back unchanged', () => {
  const rules: FlowRule[] = [
    { from: ['web_page'], values: ['recipient'], needs_approval: true },
    { from_tools: ['crm'], tools: ['translate'] },
    { effects: ['delete'], max_calls: 0 },
  ];
  for (const rule of rules) assert.deepEqual(flowRuleOf(flowRuleValuesOf(rule)), rule);
});

test('a rule that counts calls has no sources, and an invalid number without one', () => {
  const limit = { ...EMPTY_FLOW_RULE, isLimit: true, from: ['email' as const], tools: ['pay'] };
  assert.deepEqual(flowRuleOf(limit), { tools: ['pay'], max_calls: 5 });
  assert.ok(Number.isNaN(flowRuleOf({ ...limit, max_calls: '' }).max_calls));
});
