import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from '@csg/shared/detection';
import { finish } from '@csg/shared/text';
import {
  type DecisionToSend,
  decisionWebhooks,
  maskedIn,
  NONE_MASKED,
} from '../../../../apps/cloud/src/webhooks/outbound/decision-webhooks.ts';

const threat = { type: 'jailbreak', confidence: 0.9, details: 'Asks for no rules.' } as const;
const decision = (change: Partial<DecisionToSend>): DecisionToSend => ({
  eventId: 'evt_1',
  atMs: Date.UTC(2026, 10, 20),
  projectId: 'proj_1',
  direction: 'input',
  verdict: { decision: 'allow', confidence: 0, threatType: null, threats: [] },
  masked: { types: [], count: 0 },
  model: null,
  ipAddress: null,
  reason: null,
  ...change,
});
const webhooksFor = (change: Partial<DecisionToSend>) =>
  decisionWebhooks(decision(change)).map(({ event, eventId, projectId, payload }) => {
    assert.deepEqual([eventId, projectId], ['evt_1', 'proj_1']);
    const body = JSON.parse(payload);
    assert.equal(body.event, event);
    assert.equal(body.timestamp, '2026-11-20T00:00:00.000Z');
    assert.equal(body.project_id, 'proj_1');
    return [event, body.data];
  });

test('a decision causes one event at most: a block, masked data, any other threat, or none', () => {
  assert.deepEqual(webhooksFor({}), []);
  const verdict = { decision: 'block', confidence: 0.9, threatType: 'jailbreak', threats: [threat] } as const;
  const data = { event_id: 'evt_1', threat_type: 'jailbreak', confidence: 0.9, reason: 'Asks for no rules.' };
  assert.deepEqual(webhooksFor({ verdict }), [['threat.blocked', { ...data, decision: 'block' }]]);
  assert.deepEqual(webhooksFor({ verdict: { ...verdict, decision: 'allow' } }), [
    ['threat.detected', { ...data, decision: 'allow' }],
  ]);
  assert.deepEqual(webhooksFor({ verdict: { ...verdict, decision: 'redact' } }), [
    ['threat.detected', { ...data, decision: 'redact' }],
  ]);
  const masked = { types: ['email', 'phone'], count: 3 } as const;
  assert.deepEqual(
    webhooksFor({ verdict: { ...verdict, decision: 'redact' }, masked, direction: 'output' }),
    [
      [
        'pii.redacted',
        { event_id: 'evt_1', pii_types: ['email', 'phone'], redaction_count: 3, direction: 'output' },
      ],
    ],
  );
});

test('model and address are sent if they are known, and the reason if nothing was found', () => {
  const verdict = { decision: 'block', confidence: 0, threatType: null, threats: [] } as const;
  assert.deepEqual(
    webhooksFor({ verdict, model: 'm', ipAddress: '192.0.2.1', reason: 'The scan could not run.' }),
    [
      [
        'threat.blocked',
        {
          event_id: 'evt_1',
          decision: 'block',
          threat_type: null,
          confidence: 0,
          reason: 'The scan could not run.',
          request_metadata: { model: 'm', ip_address: '192.0.2.1' },
        },
      ],
    ],
  );
});

test('only what was masked counts as masked, not what was only reported', () => {
  const finding = (slot: number, start: number, pii?: Finding['pii']): Finding => ({
    slot,
    start,
    end: start + 5,
    type: 'pii_leak',
    rule: 'x',
    confidence: 1,
    reason: '',
    ...(pii === undefined ? {} : { pii }),
  });
  const findings = [finding(0, 0, 'phone'), finding(0, 10, 'email'), finding(1, 0, 'ssn'), finding(2, 0)];
  const at = (start: number) => ({ start, end: start + 5, text: '[X]' });
  const replacements = new Map([
    [0, [at(0), at(10)]],
    [2, [at(0)]],
  ]);
  const slots = ['/messages/0', '/messages/1', '/media/0'].map((path) => ({
    path,
    role: 'user' as const,
    text: 'a text of some length',
  }));
  assert.deepEqual(finish(maskedIn({ findings, replacements }, slots, [''])), {
    types: ['email', 'phone'],
    count: 2,
  });
  assert.deepEqual(finish(maskedIn({ findings, replacements }, slots, ['/media/'])), NONE_MASKED);
});

test('every mask of 200,000 findings is counted once, also where findings overlap', () => {
  const count = 200_000;
  const findings = Array.from(
    { length: count },
    (_, i): Finding => ({
      slot: 0,
      start: i * 10,
      end: i * 10 + (i % 2 === 0 ? 5 : 15),
      type: 'pii_leak',
      rule: 'x',
      confidence: 1,
      reason: '',
      pii: i === count - 1 ? 'ssn' : 'email',
    }),
  );
  const replacements = new Map([
    [0, findings.map(({ start }) => ({ start, end: start + 5, text: '[EMAIL]' }))],
  ]);
  const slots = [{ path: '/a', role: 'user', text: 'x'.repeat(count * 10) }] as const;
  assert.deepEqual(finish(maskedIn({ findings, replacements }, slots, [''])), {
    types: ['email', 'ssn'],
    count,
  });
});
