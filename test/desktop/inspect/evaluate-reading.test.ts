import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GuardResponse } from '@csg/shared/contract';
import type { GuardOutcome } from '../../../apps/desktop/src/inspect/device-policy.ts';
import { requestParts } from '../../../apps/desktop/src/inspect/evaluate-reading.ts';
import { planTurn } from '../../../apps/desktop/src/inspect/plan-turn.ts';
import { readRequest } from '../../../apps/desktop/src/inspect/read-request.ts';
import { NO_MEMORY } from '../../../apps/desktop/src/inspect/text-memory.ts';

const verdict = (decision: GuardResponse['decision']): GuardOutcome => ({
  kind: 'verdict',
  response: { decision } as GuardResponse,
});

/** How many of the parts of a long conversation the service was asked about, where it responds so. */
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

test('every part is asked about while the service allows or masks', async () => {
  const [asked, parts] = await partsAsked((part) => verdict(part === 0 ? 'redact' : 'allow'));
  assert.ok(parts > 2);
  assert.equal(asked, parts);
});

test('what comes after a block or a missing response is not sent to the service', async () => {
  const [blocked] = await partsAsked((part) => verdict(part === 1 ? 'block' : 'allow'));
  assert.equal(blocked, 2);
  const [unanswered] = await partsAsked(() => ({ kind: 'no-answer', reason: 'timeout' }));
  assert.equal(unanswered, 1);
});
