import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deciderLabel, decisionTitle } from '../../../apps/desktop/src/bridge/decision-labels.ts';

const DECISION = {
  event_id: 'evt_1',
  at: '2026-01-01T10:00:00.000Z',
  host: 'chatgpt.com',
  direction: 'input',
  decision: 'block',
  done: 'blocked',
  decided_by: 'cloud',
  threat_type: 'pii_leak',
  reason: null,
  why: 'it contains personal data',
};

test('a title states the outcome from the user’s point of view', () => {
  const title = (part: Partial<typeof DECISION>) => decisionTitle({ ...DECISION, ...part });
  assert.equal(title({}), 'Your message to chatgpt.com was blocked');
  assert.equal(title({ direction: 'output' }), 'A response from chatgpt.com was blocked');
  assert.equal(title({ done: 'redacted' }), 'Your message to chatgpt.com was sent with parts redacted');
  assert.equal(
    title({ done: 'redacted', direction: 'output' }),
    'A response from chatgpt.com was delivered with parts redacted',
  );
  assert.equal(title({ done: 'forwarded' }), 'Your message to chatgpt.com was allowed');
});

test('every decider has its own label', () => {
  const labels = (
    [
      ['cloud', null],
      ['device', 'offline'],
      ['policy', 'blocked_tool'],
      ['device', 'too_large'],
      ['policy', 'no_certificate'],
    ] as const
  ).map(([decided_by, reason]) => deciderLabel({ decided_by, reason }));
  assert.equal(new Set(labels).size, 5);
  assert.match(labels[1] ?? '', /the service did not respond/);
});
