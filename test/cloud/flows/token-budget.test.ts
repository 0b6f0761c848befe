import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError } from '@csg/shared/contract';
import { API_ENDPOINTS } from '@csg/shared/providers';
import type { TextSlot } from '@csg/shared/text';
import { atOnce } from '@csg/shared/text';
import type { Principal } from '../../../apps/cloud/src/flows/authenticate-key.ts';
import {
  readTokens,
  requireTokens,
  reserveTokens,
  spendTokensOfStored,
} from '../../../apps/cloud/src/flows/token-budget.ts';
import type { UpstreamResponse } from '../../../apps/cloud/src/upstream/send.ts';
import { createTestEnv } from '../../conformance/storage-engines.ts';
import { openAccountTestEnv } from '../../support/account-test-env.ts';
import { amazonMessage } from '../../support/amazon-stream.ts';

const CHAT = API_ENDPOINTS.find(({ name }) => name === 'openai-chat')!;
const USED = { prompt_tokens: 30, completion_tokens: 12, total_tokens: 42 };

async function openBudget(t: Parameters<typeof openAccountTestEnv>[0], dailyTokenLimit: number | null) {
  const { storage, clock } = await openAccountTestEnv(t);
  const { organizationId, keyId } = await createTestEnv(storage);
  const deps = { storage, clock };
  const principal = { organizationId, keyId, limits: { allowedModels: [], dailyTokenLimit } };
  const used = () =>
    storage.usage.tokensOf({ organizationId, keyId, day: new Date(clock.now()).toISOString().slice(0, 10) });
  const reserve = (body: unknown = {}, text = '', endpoint = CHAT) => {
    const slots: TextSlot[] = text === '' ? [] : [{ path: '/messages/0', role: 'user', text }];
    return reserveTokens(deps, principal as unknown as Principal, { endpoint, slots, body });
  };
  return { deps, clock, principal: principal as unknown as Principal, used, reserve };
}

const respond = (body: string | object, change: Partial<UpstreamResponse> = {}): UpstreamResponse => ({
  ...{ status: 200, headers: {}, kind: 'json' as const },
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  ...change,
});
const answering = (text: string, more: object = {}) =>
  respond({ choices: [{ index: 0, message: { role: 'assistant', content: text } }], ...more });

test('a key without a limit reserves and is asked nothing', async (t) => {
  const { deps, principal, reserve, used } = await openBudget(t, null);
  assert.equal(await reserve({ max_tokens: 5 }), null);
  await requireTokens(deps, principal);
  await spendTokensOfStored(deps, principal, answering('', { background: true, usage: USED }));
  assert.equal(await used(), 0);
});

test('what is reserved: the characters of the request, and the output it allows', async (t) => {
  const { reserve, used } = await openBudget(t, 1_000_000);
  const cases: readonly (readonly [unknown, number])[] = [
    [null, 1_000],
    [{}, 1_000],
    [{ max_tokens: 50 }, 50],
    [{ max_completion_tokens: 51 }, 51],
    [{ max_output_tokens: 52.2 }, 53],
    [{ generationConfig: { maxOutputTokens: 54 } }, 54],
    [{ inferenceConfig: { maxTokens: 55 } }, 55],
    [{ generationConfig: null, inferenceConfig: 'x' }, 1_000],
    [{ max_tokens: 1_000_000 }, 4_000],
    [{ max_tokens: 0 }, 1_000],
    [{ max_tokens: '9' }, 1_000],
  ];
  for (const [body, output] of cases) {
    const reservation = await reserve(body, 'a'.repeat(9));
    assert.equal(await used(), 3 + output, JSON.stringify(body));
    await reservation?.release();
    assert.equal(await used(), 0);
  }
  assert.equal(await reserve({}, 'text', { ...CHAT, name: 'count-tokens' }), null);
  assert.equal(await reserve({}, 'text', { ...CHAT, name: 'moderations' }), null);
});

test('a budget that is used up says when it is renewed', async (t) => {
  const { deps, clock, principal, reserve, used } = await openBudget(t, 100);
  assert.notEqual(await reserve({ max_tokens: 99 }), null);
  assert.notEqual(await reserve({ max_tokens: 1 }), null);
  assert.equal(await used(), 100);
  clock.advance(500);
  const isOver = (error: unknown) => {
    assert.ok(error instanceof CodedError);
    assert.deepEqual(
      [error.code, error.fields, error.headers],
      [
        'token_budget_exceeded',
        { tokens_used: 100, daily_token_limit: 100, retry_after: 43_200 },
        { 'Retry-After': '43200' },
      ],
    );
    return true;
  };
  await assert.rejects(reserve({ max_tokens: 1 }), isOver);
  await assert.rejects(requireTokens(deps, principal), isOver);
  clock.advance(12 * 3_600_000);
  await requireTokens(deps, principal);
  assert.notEqual(await reserve({ max_tokens: 1 }), null);
});

test('a response costs what its provider counted', async (t) => {
  const { reserve, used } = await openBudget(t, 1_000_000);
  const cost = async (response: UpstreamResponse, text = 'a'.repeat(40)) => {
    const before = await used();
    const reservation = await reserve({}, text);
    await reservation?.settle(response, await readTokens(response), atOnce);
    return (await used()) - before;
  };
  assert.equal(await cost(answering('hello', { usage: USED })), 42);
  for (const status of [199, 300, 500]) {
    assert.equal(await cost({ ...answering('hello', { usage: USED }), status }), 0, String(status));
  }
  assert.equal(await cost({ ...answering('hello', { usage: USED }), status: 299 }), 42);
  assert.equal(await cost(answering('', { background: true })), 0, 'it has not been generated yet');
});

test('without counts a response costs an estimate from its texts, or from its length if it cannot be read', async (t) => {
  const { reserve, used } = await openBudget(t, 1_000_000);
  const cost = async (response: UpstreamResponse) => {
    const before = await used();
    const reservation = await reserve({}, 'a'.repeat(40));
    await reservation?.settle(response, null, atOnce);
    return (await used()) - before;
  };
  assert.equal(await cost(answering('b'.repeat(41))), 10 + 11);
  const event = (content: string) => `data: {"choices":[{"index":0,"delta":{"content":"${content}"}}]}\n\n`;
  const stream = respond(event('b'.repeat(30)) + event('c'.repeat(11)), {
    kind: 'event-stream',
    headers: { 'content-type': 'text/event-stream' },
  });
  assert.equal(await cost(stream), 10 + 11);
  assert.equal(await cost(respond('x'.repeat(401))), 10 + 101);
});

test('counts are read from the body or from the head, whichever has more', async () => {
  const head = (input: unknown, output: unknown) => ({
    'x-amzn-bedrock-input-token-count': String(input),
    'x-amzn-bedrock-output-token-count': String(output),
  });
  assert.deepEqual(await readTokens(answering('', { usage: USED })), { input: 30, output: 12 });
  assert.equal(await readTokens(answering('')), null);
  const amazon = {
    kind: 'event-stream',
    headers: { 'content-type': 'application/vnd.amazon.eventstream' },
  } as const;
  const unreadable = { ...respond('', amazon), body: amazonMessage('chunk', 'no JSON') };
  assert.equal(await readTokens(unreadable), null, 'it is rejected where it is read');
  assert.deepEqual(await readTokens(respond({}, { headers: head(7, 8) })), { input: 7, output: 8 });
  assert.deepEqual(await readTokens(respond({}, { headers: head(7, -8) })), { input: 7, output: 0 });
  assert.deepEqual(await readTokens(respond({}, { headers: head('1.5', 8) })), { input: 0, output: 8 });
  assert.deepEqual(await readTokens({ ...answering('', { usage: USED }), headers: head(40, 2) }), {
    ...{ input: 30, output: 12 },
  });
  assert.deepEqual(await readTokens({ ...answering('', { usage: USED }), headers: head(41, 2) }), {
    ...{ input: 41, output: 2 },
  });
});

test('a stored response counts if it was generated in the background', async (t) => {
  const { deps, principal, used } = await openBudget(t, 100);
  await spendTokensOfStored(deps, principal, answering('', { usage: USED }));
  await spendTokensOfStored(deps, principal, answering('', { background: true }));
  await spendTokensOfStored(deps, principal, {
    ...answering('', { background: true, usage: USED }),
    kind: 'event-stream',
  });
  assert.equal(await used(), 0);
  await spendTokensOfStored(deps, principal, answering('', { background: true, usage: USED }));
  assert.equal(await used(), 42);
});
