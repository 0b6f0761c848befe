import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeFlow, holdsOf } from '../../../shared/decision/held-calls.ts';
import type { Flow } from '../../../shared/flow-control/index.ts';
import { toToolCall } from '../../../shared/providers/index.ts';
import { finish } from '../../../shared/text/index.ts';

const FLOW: Flow = {
  ...{ callPath: '/0', argument: '/to', kind: 'email', isCarrying: false, addressSource: null },
  ...{ source: { path: '/a', message: '#joined', tool: null }, threatType: 'data_exfiltration' },
  toolName: 'mail.send',
};

test('a description does not show a tool name that could be a text', () => {
  assert.equal(
    describeFlow({ ...FLOW, toolName: 'my name is Ann' }),
    'A tool is called with an email address that occurs only in untrusted data, not in texts of the user or the developer.',
  );
});

test('the strictest reason comes first: lists, then policies, flow control and the session', () => {
  const calls = ['/0', '/1'].map((path) => finish(toToolCall(path, null, `tool${path.slice(1)}`, {})));
  const rule = {
    policyId: 'pol_1',
    callPath: '/1',
    reason: 'A rule.',
    value: null,
    toolName: 'tool1',
    rule: 0,
  };
  const found = (
    flowControl: 'off' | 'monitor' | 'review' | 'block',
    listing: 'free' | 'review' = 'review',
  ) =>
    holdsOf(
      { calls, subject: 'call', flowControl, concerns: ['The session has read a threat.'] },
      { of: () => listing, first: null },
      { flows: [FLOW], policyFlows: [{ ...rule, handling: 'report' }] },
    ).map(({ source, action, call, decidedBy }) => `${source} ${action} ${call.path} ${decidedBy?.id}`);
  const session = ['session review /0 undefined', 'session review /1 undefined'];
  assert.deepEqual(found('block'), [
    'flow block /0 flow_control',
    ...['list review /0 review_required_tools', 'list review /1 review_required_tools'],
    ...session,
    'policy report /1 pol_1',
  ]);
  assert.deepEqual(found('monitor', 'free'), [
    ...session,
    'policy report /1 pol_1',
    'flow report /0 flow_control',
  ]);
  assert.deepEqual(found('off', 'free'), [...session, 'policy report /1 pol_1']);
});
