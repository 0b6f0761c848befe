import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Direction, GuardResponse } from '@csg/shared/contract';
import { createTextMemory } from '../../../apps/desktop/src/cloud-client/create-text-memory.ts';
import { createMaskDigest } from '../../../apps/desktop/src/cloud-client/mask-digest.ts';
import { compilePolicy } from '../../../apps/desktop/src/inspect/compile-policy.ts';
import type { GuardOutcome } from '../../../apps/desktop/src/inspect/device-policy.ts';
import { evaluateReading, requestParts } from '../../../apps/desktop/src/inspect/evaluate-reading.ts';
import { planTurn } from '../../../apps/desktop/src/inspect/plan-turn.ts';
import { readRequest } from '../../../apps/desktop/src/inspect/read-request.ts';
import { newReading, type RequestReading } from '../../../apps/desktop/src/inspect/request-reading.ts';
import { NO_MEMORY } from '../../../apps/desktop/src/inspect/text-memory.ts';
import { testPolicy } from '../../support/desktop/test-stack.ts';

const verdict = (decision: GuardResponse['decision']): GuardOutcome => ({
  kind: 'verdict',
  response: { decision } as GuardResponse,
});

/** Returns how many parts of a long conversation the service received, with these responses. */
async function partsAsked(
  respond: (part: number) => GuardOutcome,
): Promise<readonly [asked: number, parts: number]> {
  const messages = Array.from({ length: 10 }, (_, n) => ({
    role: 'user',
    content: `${n} ${'a line of nothing much '.repeat(200)}`,
  }));
  const bytes = new TextEncoder().encode(JSON.stringify({ messages }));
  const host = 'api.openai.com';
  const reading = readRequest({
    method: 'POST',
    host,
    path: '/v1/chat/completions',
    body: { kind: 'json', bytes },
  });
  const turn = planTurn({ reading, direction: 'input', host, scope: '', maxBytes: 12_000 }, NO_MEMORY);
  assert.ok(turn !== null);
  let asked = 0;
  const outcomes = await requestParts(turn, { deadlineMs: 1_000, guard: async () => respond(asked++) });
  assert.equal(outcomes.length, asked);
  return [asked, turn.parts.length];
}

test('sends every part while the service allows or masks', async () => {
  const [asked, parts] = await partsAsked((part) => verdict(part === 0 ? 'redact' : 'allow'));
  assert.ok(parts > 2);
  assert.equal(asked, parts);
});

test('sends no part after a block or a missing response', async () => {
  const [blocked] = await partsAsked((part) => verdict(part === 1 ? 'block' : 'allow'));
  assert.equal(blocked, 2);
  const [unanswered] = await partsAsked(() => ({ kind: 'no-answer', reason: 'timeout' }));
  assert.equal(unanswered, 1);
});

test('remembers verdicts on requests, but not on responses', async () => {
  const asked: unknown[] = [];
  const response: GuardResponse = {
    ...{ decision: 'allow', event_id: 'evt_cloud', confidence: 1, threat_type: null, threats: [] },
    ...{ redacted_messages: null, unscanned: [], latency_ms: 0 },
  };
  const tools = {
    access: {
      ...{ service: 'https://a.example', deadlineMs: 1_000 },
      guard: async ({ messages }: { messages: readonly { content?: unknown }[] }): Promise<GuardOutcome> => {
        asked.push(...messages.map(({ content }) => content));
        return { kind: 'verdict', response };
      },
    },
    memory: createTextMemory(() => 0),
    ...{ scopeOf: () => '', maskDigest: createMaskDigest('k'), now: () => 5, newEventId: () => 'evt_own' },
  };
  const place = { host: 'api.openai.com', path: '/v1/chat/completions', method: 'POST' };
  const request = { compiled: compilePolicy(testPolicy()), ...place };
  const say = async (direction: Direction, reading: RequestReading) => {
    asked.length = 0;
    const { action, isUnanswered } = await evaluateReading(request, direction, reading, tools);
    assert.deepEqual([action.kind, isUnanswered], ['forward', false]);
    return [...asked];
  };
  const system = { role: 'system', content: 'You are a careful assistant.' };
  const chat = (...users: readonly string[]) => {
    const messages = [system, ...users.map((content) => ({ role: 'user', content }))];
    const bytes = new TextEncoder().encode(JSON.stringify({ messages }));
    return readRequest({ ...place, body: { kind: 'json', bytes } });
  };
  const first = [system.content, 'What is in the file?'];
  assert.deepEqual(await say('output', chat('What is in the file?')), first);
  assert.deepEqual(await say('input', chat('What is in the file?')), first, 'a response is not remembered');
  const grown = await say('input', chat('What is in the file?', 'And what is in the other one?'));
  assert.equal(grown.includes(system.content), false);
  assert.equal(grown.at(-1), 'And what is in the other one?');
  assert.deepEqual(await say('output', chat('What is in the file?')), first, 'nor looked up');
  assert.deepEqual(await say('input', newReading({})), [], 'there is no text');
});
