import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Verdict } from '@csg/shared/decision';
import type { TextSlot } from '@csg/shared/text';
import { eventFindings } from '../../../../apps/cloud/src/flows/decision/event-findings.ts';

const SLOTS: readonly TextSlot[] = [{ path: '/messages/0/content', role: 'user', text: 'text' }];
const FOUND = { rule: 'r', type: 'jailbreak', start: 1, end: 2, confidence: 0.5 } as const;

const read = (verdict: object, textKeyOf: () => string | undefined = () => undefined) =>
  eventFindings(SLOTS, { decision: 'block', findings: [], ...verdict } as unknown as Verdict, textKeyOf);

test('a finding has the place of its text, and a key where the text was acted on', () => {
  const place = { path: '/messages/0/content', role: 'user' };
  const textKeyOf = () => 'user:k';
  const findings = [
    { ...FOUND, slot: 0 },
    { ...FOUND, slot: 0, reportOnly: true },
    { ...FOUND, slot: 0, isWithheld: true },
  ];
  const [own, reported, withheld] = findings.map(({ slot: _, ...rest }) => ({ ...rest, ...place }));
  assert.deepEqual(read({ findings }, textKeyOf), [
    { ...own, textKey: 'user:k' },
    reported,
    { ...withheld, textKey: 'user:k' },
  ]);
  assert.deepEqual(read({ findings, decision: 'allow' }, textKeyOf), [own, reported, withheld]);
  assert.deepEqual(read({ findings }), [own, reported, withheld]);
  assert.deepEqual(read({ findings: [{ ...FOUND, slot: 7 }] }), [{ ...FOUND, path: '', role: 'other' }]);
});

const flow = (change: object = {}) => ({
  ...{ kind: 'value', callPath: '/0', argument: 'to', toolName: 'send', threatType: 'data_exfiltration' },
  source: { path: '/messages/1', tool: 'read mail' },
  ...change,
});

test('flows are grouped by their source, which follows the arguments; a tool is named by a plain word', () => {
  const rest = { type: 'data_exfiltration', start: 0, end: 0, confidence: 1 };
  const call = (argument: string, more: object = {}) => ({
    ...{ rule: 'flow_control.value', path: `/0#${argument}`, role: 'tool_call', ...rest, tool: 'send' },
    ...more,
  });
  const source = (path: string, more: object = {}) => ({
    ...{ rule: 'flow_control.source', path, role: 'tool_result', ...rest, ...more },
  });
  const flows = [
    flow(),
    flow({ source: { path: '/messages/2', tool: 'read' } }),
    flow({ argument: 'cc' }),
    flow(),
  ];
  assert.deepEqual(read({ flows }), [
    ...[call('to'), call('cc'), source('/messages/1')],
    ...[call('to'), source('/messages/2', { tool: 'read' })],
  ]);
  const reported = { reportOnly: true };
  assert.deepEqual(read({ flows: [flow()], decision: 'redact' }), [
    call('to', reported),
    source('/messages/1', reported),
  ]);
});

test('calls that match a policy have the argument and its source, if a value was traced', () => {
  const rest = { type: 'custom_policy', start: 0, end: 0, confidence: 1 };
  const value = { kind: 'email', argument: 'to', source: { path: '/messages/1', tool: 'read' } };
  const match = (change: object = {}) => ({
    ...{ policyId: 'pol_1', handling: 'block', callPath: '/0', toolName: 'send', value },
    ...change,
  });
  const expected = (reported: object) => [
    { rule: 'policy:pol_1:flow.email', path: '/0#to', role: 'tool_call', ...rest, ...reported, tool: 'send' },
    {
      rule: 'policy:pol_1:flow.source',
      path: '/messages/1',
      role: 'tool_result',
      ...rest,
      ...reported,
      tool: 'read',
    },
  ];
  const reported = { reportOnly: true };
  assert.deepEqual(read({ policyFlows: [match()] }), expected({}));
  assert.deepEqual(read({ policyFlows: [match({ handling: 'report' })] }), expected(reported));
  assert.deepEqual(read({ policyFlows: [match()], decision: 'allow' }), expected(reported));
  assert.deepEqual(read({ policyFlows: [match({ value: null, toolName: null })] }), [
    { rule: 'policy:pol_1:flow.calls', path: '/0', role: 'tool_call', ...rest },
  ]);
});

test('at most a hundred findings of each kind of flow are stored', () => {
  const flows = Array.from({ length: 150 }, (_, n) => flow({ argument: `a${n}` }));
  const policyFlows = Array.from({ length: 150 }, (_, n) => ({
    ...{ policyId: `p${n}`, handling: 'block', callPath: '/0', toolName: null, value: null },
  }));
  assert.equal(read({ flows, policyFlows }).length, 200);
});
