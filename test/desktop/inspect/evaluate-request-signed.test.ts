import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { GuardRequest, GuardResponse } from '@csg/shared/contract';
import { createTextMemory } from '../../../apps/desktop/src/cloud-client/create-text-memory.ts';
import { createMaskDigest } from '../../../apps/desktop/src/cloud-client/mask-digest.ts';
import { compilePolicy } from '../../../apps/desktop/src/inspect/compile-policy.ts';
import type { GuardOutcome } from '../../../apps/desktop/src/inspect/device-policy.ts';
import type { EvaluationTools } from '../../../apps/desktop/src/inspect/evaluate-reading.ts';
import { evaluateRequest } from '../../../apps/desktop/src/inspect/evaluate-request.ts';
import { evaluateResponse } from '../../../apps/desktop/src/inspect/evaluate-response.ts';
import { testPolicy } from '../../support/desktop/test-stack.ts';
import { SIGNED_TURNS, type SignedTurn } from '../../support/signed-turns.ts';

const TEXT = 'A Visa test number is 4242 4242 4242 4242, which the form takes.';
const HOSTS: Readonly<Record<string, readonly [host: string, path: string]>> = {
  messages: ['api.anthropic.com', '/v1/messages'],
  responses: ['api.openai.com', '/v1/responses'],
  chat: ['api.openai.com', '/v1/chat/completions'],
  gemini: ['generativelanguage.googleapis.com', '/v1beta/models/m:generateContent'],
  bedrock: ['bedrock-runtime.eu-west-1.amazonaws.com', '/model/m/converse'],
};

/** A service that reads each text alone, and masks card numbers in it. */
const masks = (request: GuardRequest): GuardOutcome => {
  const masked = request.messages.map((message) => ({
    ...message,
    content: String(message.content).replace('4242 4242 4242 4242', '[CREDIT_CARD]'),
  }));
  const isMasked = JSON.stringify(masked).includes('[CREDIT_CARD]');
  const response = {
    ...{ event_id: 'evt_service', confidence: 1, threat_type: isMasked ? 'pii_leak' : null, threats: [] },
    ...{ decision: isMasked ? 'redact' : 'allow', redacted_messages: isMasked ? masked : null },
    ...{ unscanned: [], latency_ms: 1 },
  } as GuardResponse;
  return { kind: 'verdict', response };
};

describe('signed blocks on a device', () => {
  const compiled = compilePolicy(testPolicy());
  const toolsWith = (guard: ((request: GuardRequest) => GuardOutcome) | null): EvaluationTools => ({
    access: guard && {
      service: 'https://a.example',
      guard: async (asked) => guard(asked),
      deadlineMs: 1_000,
    },
    memory: createTextMemory(() => 5),
    scopeOf: () => '',
    maskDigest: createMaskDigest('k'),
    now: () => 5,
    newEventId: () => 'evt_own',
  });
  const ask = (turn: SignedTurn, history: readonly object[], tools: EvaluationTools) => {
    const [host, path] = HOSTS[turn.name.split(',', 1)[0]!]!;
    const bytes = new TextEncoder().encode(JSON.stringify(turn.request(history)));
    const request = { compiled, host, path, method: 'POST' };
    return { request, verdict: evaluateRequest(request, { kind: 'json', bytes }, tools) };
  };
  const kindOf = async (turn: SignedTurn, block: object, tools: EvaluationTools) =>
    (await ask(turn, [block], tools).verdict).kind;

  for (const [judge, guard] of [
    ['the service', masks],
    ['the device', null],
  ] as const) {
    for (const turn of SIGNED_TURNS) {
      test(`${turn.name}, judged by ${judge}: goes back from an answer, and is refused from elsewhere`, async () => {
        for (const isStream of [false, true]) {
          const tools = toolsWith(guard);
          const block = turn.block(TEXT, `EqQBCkYIBxgC${isStream}`);
          const refused = await ask(turn, [block], tools).verdict;
          assert.ok(refused.kind === 'block', refused.kind);
          assert.equal(refused.event.reason, 'unwritable');
          assert.match(refused.reply.body, /Remove the block /);
          const { request, verdict } = ask(turn, [], tools);
          const first = await verdict;
          assert.ok(first.kind === 'forward' && first.prompt !== null);
          const stream = turn.stream(block, [TEXT.slice(0, 9), TEXT.slice(9)]);
          // Bedrock's streams are not read on devices.
          if (isStream && typeof stream !== 'string') continue;
          const bytes = Buffer.from(isStream ? stream : JSON.stringify(turn.answer(block)));
          await evaluateResponse(request, first.prompt, { kind: 'whole', bytes, isEvents: isStream }, tools);
          assert.equal(await kindOf(turn, block, tools), 'forward');
          assert.equal(await kindOf(turn, turn.block(`${TEXT} No.`, 'EqAnother'), tools), 'block');
        }
      });
    }
  }
});
