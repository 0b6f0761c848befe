import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMaskDigest } from '../../../apps/desktop/src/cloud-client/mask-digest.ts';
import { compilePolicy } from '../../../apps/desktop/src/inspect/compile-policy.ts';
import type { DevicePolicy } from '../../../apps/desktop/src/inspect/device-policy.ts';
import { evaluateResponse, watchResponse } from '../../../apps/desktop/src/inspect/evaluate-response.ts';
import { newReading } from '../../../apps/desktop/src/inspect/request-reading.ts';
import { NO_MEMORY } from '../../../apps/desktop/src/inspect/text-memory.ts';
import { testPolicy } from '../../support/desktop/stand.ts';

// Put together here, so that no file holds a whole one.
const KEY = ['sk', 'live', '51H8xQ2eZvKYlo2CzT9mNb4Rw7Gd'].join('_');
const bytes = (text: string) => new TextEncoder().encode(text);
const requestUnder = (part: Partial<DevicePolicy>) => ({
  compiled: compilePolicy(testPolicy(part)),
  host: 'api.openai.com',
  path: '/p',
  method: 'POST',
});
let ids = 0;
const tools = {
  access: null,
  memory: NO_MEMORY,
  scopeOf: () => '',
  maskDigest: createMaskDigest('k'),
  now: () => 5,
  newEventId: () => `evt_${++ids}`,
};

test('JSON, odd JSON and text are all read; what gives a key away is held back', async () => {
  for (const text of [`{"a":"use ${KEY}"}`, `{"a":"use ${KEY}"`, `use ${KEY}`]) {
    const body = { kind: 'whole', bytes: bytes(text) } as const;
    const verdict = await evaluateResponse(requestUnder({}), newReading({}), body, tools);
    assert.deepEqual([verdict.kind, verdict.event?.done], ['block', 'blocked'], text);
  }
  const spelled = bytes(`{"a":["x","use ${KEY}"]}`);
  const found = await evaluateResponse(
    requestUnder({}),
    newReading({}),
    { kind: 'whole', bytes: spelled },
    tools,
  );
  assert.deepEqual(
    found.event?.findings?.map(({ start }) => start),
    [4],
    'counted from the start of its text',
  );
  const body = { kind: 'whole', bytes: bytes('{"a":"Good day."}') } as const;
  const verdict = await evaluateResponse(requestUnder({}), newReading({}), body, tools);
  assert.deepEqual(verdict, { kind: 'forward', event: null, isUnanswered: false });
});

test('what cannot be read passes and is reported, or is held back, by policy', async () => {
  for (const failClosed of [false, true]) {
    const body = { kind: 'unread', reason: 'The response is no text.' } as const;
    const verdict = await evaluateResponse(requestUnder({ failClosed }), newReading({}), body, tools);
    assert.deepEqual([verdict.kind, verdict.event?.reason], [failClosed ? 'block' : 'forward', 'unread']);
  }
});

test('a stream is read until something is on record; then the rest passes', () => {
  const watch = watchResponse(requestUnder({ mode: 'monitor' }), newReading({}), false, tools);
  assert.deepEqual(watch.push(bytes('nothing')), { kind: 'forward', event: null });
  const found = watch.push(bytes(` use ${KEY}`));
  assert.deepEqual([found.kind, found.event?.decision], ['forward', 'block']);
  assert.deepEqual(watch.push(bytes(` and ${KEY}`)), { kind: 'forward', event: null });
});

test('a character that is cut between two pieces is one all the same', () => {
  const watch = watchResponse(requestUnder({}), newReading({}), false, tools);
  const text = bytes(`ключ ${KEY}`);
  assert.equal(watch.push(text.subarray(0, 3)).kind, 'forward');
  const verdict = watch.push(text.subarray(3));
  assert.deepEqual([verdict.kind, verdict.kind === 'block' && verdict.frame], ['block', null]);
});

test('an event stream ends with a frame that names the event', () => {
  const watch = watchResponse(requestUnder({}), newReading({}), true, tools);
  const verdict = watch.push(bytes(`data: {"choices":[{"index":0,"delta":{"content":"use ${KEY}"}}]}\n\n`));
  assert.ok(verdict.kind === 'block' && verdict.frame !== null);
  assert.match(verdict.frame, /event: error\ndata: .*The answer was held back/);
  assert.ok(verdict.frame.includes(verdict.event.eventId));
});
