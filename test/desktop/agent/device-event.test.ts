import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceEventSchema } from '@csg/shared/contract';
import Value from 'typebox/value';
import { deviceEventOf } from '../../../apps/desktop/src/agent/device-event.ts';
import type { DecisionEvent } from '../../../apps/desktop/src/inspect/decision-event.ts';

const EVENT: DecisionEvent = {
  eventId: 'evt_1',
  atMs: 1_760_000_000_000,
  host: 'api.openai.com',
  path: '/v1/chat/completions',
  method: 'POST',
  direction: 'input',
  decision: 'block',
  done: 'blocked',
  decidedBy: 'device',
  threatType: 'secret_leak',
  confidence: 0.9,
  note: null,
  policyVersion: 'pv_1',
  rules: ['aws-key'],
  isException: false,
};

test('what the service decided itself it is not told again', () => {
  assert.equal(deviceEventOf({ ...EVENT, decidedBy: 'cloud' }), null);
});

test('every note becomes one word, no text goes along, and the service takes it', () => {
  for (const [note, reason, failMode] of [
    ['The service gave no verdict (timeout); the device decided.', 'offline', undefined],
    ['Passed without being read: my secret text', 'unread', 'open'],
    ['It could not be read: my secret text', 'unread', 'closed'],
    ['It cannot be read for certain: my secret text', 'ambiguous', undefined],
    ['This tool may not be used.', 'blocked_tool', undefined],
    ['my secret text', 'other', undefined],
    [null, undefined, undefined],
  ] as const) {
    const told = deviceEventOf({ ...EVENT, note });
    assert.equal(told?.reason, reason, String(note));
    assert.equal(told?.fail_mode, failMode, String(note));
    assert.ok(!JSON.stringify(told).includes('secret text'));
    assert.ok(
      Value.Check(deviceEventSchema, told),
      JSON.stringify([...Value.Errors(deviceEventSchema, told)]),
    );
  }
  assert.equal(deviceEventOf({ ...EVENT, isException: true })?.reason, 'exception');
  assert.equal(deviceEventOf({ ...EVENT, host: 'bücher.example' })?.destination_host, undefined);
});
