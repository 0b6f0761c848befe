import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { KeyLimits } from '../../../apps/cloud/src/storage/storage.ts';
import { readAnswer } from '../../support/answers.ts';
import { onBothDatabases } from '../../support/both-databases.ts';
import { createManualClock } from '../../support/clock.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { startTestProvider, type TestProvider } from '../../support/test-provider.ts';

const CHAT = '/api/v1/chat/completions';
const DAY_MS = 86_400_000;

onBothDatabases('limits of a key', (start) => {
  const clock = createManualClock();
  let gateway: TestGateway;
  let testProvider: TestProvider;
  before(async () => {
    testProvider = await startTestProvider();
    gateway = await start({ clock, providerUrl: testProvider.url });
  });
  after(async () => {
    await gateway.close();
    await testProvider.close();
  });
  beforeEach(() => testProvider.reset());

  const limited = async (limits: Partial<KeyLimits>) => (await gateway.addKey({ limits })).plain;
  const ask = (key: string, body: object, path = CHAT) =>
    readAnswer(gateway.call('POST', path, { key, body, bearer: 'sk-own' }));
  const chat = (model: string | undefined, more: object = {}) => ({
    model,
    messages: [{ role: 'user', content: 'hello' }],
    ...more,
  });

  test('a key with allowed models is rejected for any other, and nothing goes upstream', async () => {
    const key = await limited({ allowedModels: ['gpt-a', 'claude-a'] });
    assert.equal((await ask(key, chat('gpt-a'))).status, 200);
    assert.equal((await ask(key, { ...chat('claude-a'), max_tokens: 5 }, '/api/v1/messages')).status, 200);
    testProvider.reset();
    for (const model of ['gpt-b', 'GPT-A', 'gpt-a ', undefined]) {
      const denied = await ask(key, chat(model));
      assert.deepEqual([denied.status, denied.error['code']], [403, 'model_not_allowed'], String(model));
      assert.equal(denied.error['type'], 'permission_error');
    }
    assert.equal(testProvider.requests.length, 0);
  });

  test('lists of fallbacks and inner requests name no other model either', async () => {
    const key = await limited({ allowedModels: ['gpt-a', 'embed-a'] });
    const path = '/api/v1beta/models/embed-a:batchEmbedContents';
    const part = { content: { parts: [{ text: 'hi' }] } };
    const send = async (body: object, to = CHAT): Promise<number> => (await ask(key, body, to)).status;
    assert.equal(await send({ ...chat('gpt-a'), models: ['gpt-a', 'embed-a'] }), 200);
    testProvider.reset();
    for (const more of [
      { models: ['gpt-b'] },
      { fallbacks: [{ model: 'gpt-b' }] },
      { extra: { route: { fallback_models: ['gpt-b'] } } },
    ])
      assert.equal(await send({ ...chat('gpt-a'), ...more }), 403);
    const inner = {
      requests: [
        { model: 'models/embed-a', ...part },
        { model: 'models/embed-b', ...part },
      ],
    };
    assert.equal(await send(inner, path), 403);
    assert.equal(testProvider.requests.length, 0);
    const tool = { type: 'function', function: { name: 'f', parameters: { default: { model: 'gpt-b' } } } };
    assert.equal(await send({ ...chat('gpt-a'), tools: [tool] }), 200);
  });

  test('tokens of a day are counted from whole and streamed responses, until the next day', async () => {
    const key = await limited({ dailyTokenLimit: 22 });
    const first = await ask(key, chat('gpt-a'));
    const { total_tokens: total } = first.body['usage'] as { total_tokens: number };
    assert.ok(total > 0 && total < 22, String(total));
    assert.equal(
      (await ask(key, { ...chat('claude-a'), max_tokens: 5, stream: true }, '/api/v1/messages')).status,
      200,
    );
    const denied = await ask(key, chat('gpt-a'));
    assert.deepEqual([denied.status, denied.error['code']], [429, 'token_budget_exceeded']);
    assert.deepEqual([denied.error['tokens_used'], denied.error['daily_token_limit']], [total + 21, 22]);
    const leftS = Math.ceil((DAY_MS - (clock.now() % DAY_MS)) / 1000);
    assert.equal(denied.error['retry_after'], leftS);
    assert.equal(testProvider.requests.length, 2);
    clock.advance(leftS * 1000);
    assert.equal((await ask(key, chat('gpt-a'))).status, 200);
  });

  test('concurrent requests are all counted', async () => {
    const key = await limited({ dailyTokenLimit: 1_000_000 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(key, chat('gpt-a'))));
    const { id, organizationId } = (await gateway.storage.keys.findForAuth(key))!;
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    const { total_tokens: total } = answers[0]!.body['usage'] as { total_tokens: number };
    const counter = { organizationId, keyId: id, day };
    assert.equal(await gateway.storage.usage.tokensOf(counter), 20 * total);
    assert.equal(await gateway.storage.usage.tokensOf({ ...counter, organizationId: 'org_none' }), 0);
    await gateway.storage.keys.remove(organizationId, id);
    await gateway.storage.usage.addTokens(counter, 5);
    assert.equal(await gateway.storage.usage.tokensOf(counter), 0, 'a deleted key counts nothing');
  });

  const tokensOf = async (key: string) => {
    const { id, organizationId } = (await gateway.storage.keys.findForAuth(key))!;
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    return await gateway.storage.usage.tokensOf({ organizationId, keyId: id, day });
  };

  test('concurrent requests are held to what the others have reserved', async () => {
    const key = await limited({ dailyTokenLimit: 3_500 });
    const release = testProvider.hold();
    const { promise: denied, resolve } = Promise.withResolvers<void>();
    let count = 0;
    const sending = Array.from({ length: 10 }, async () => {
      const answer = await ask(key, chat('gpt-a'));
      count += 1;
      if (count === 6) resolve();
      return answer;
    });
    await denied;
    release();
    const answers = await Promise.all(sending);
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, 200, 200, 200, 429, 429, 429, 429, 429, 429]);
    const { total_tokens: total } = answers.find(({ status }) => status === 200)!.body['usage'] as {
      total_tokens: number;
    };
    assert.equal(await tokensOf(key), 4 * total, 'reservations are replaced by the actual cost');
    assert.equal((await ask(key, chat('gpt-a'))).status, 200);
  });

  test('a response without usage counts an estimate, a failed one nothing', async () => {
    const key = await limited({ dailyTokenLimit: 1_000_000 });
    const text = 'The report describes the sales of the month in each of the regions. '.repeat(30);
    const message = { role: 'assistant', content: text };
    testProvider.answer({
      body: JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }),
    });
    const body = { ...chat('gpt-a'), messages: [{ role: 'user', content: text }] };
    assert.equal((await ask(key, body)).status, 200);
    const used = await tokensOf(key);
    assert.ok(used >= 1_020 && used <= 1_050, String(used));
    testProvider.answer({ status: 500, body: '{}' });
    assert.equal((await ask(key, chat('gpt-a'))).status, 500);
    await testProvider.fault('reset');
    assert.equal((await ask(key, chat('gpt-a'))).status, 502);
    await testProvider.reset();
    assert.equal(await tokensOf(key), used);
    const tokens = await ask(key, { ...chat('claude-a') }, '/api/v1/messages/count_tokens');
    assert.equal(tokens.status, 200);
    assert.equal(await tokensOf(key), used, 'counting tokens generates none');
  });

  test('limits can be changed, but never beyond those of the key that changes them', async () => {
    const key = await limited({ allowedModels: ['gpt-a'], dailyTokenLimit: 100 });
    const { id } = (await gateway.storage.keys.findForAuth(key))!;
    const change = (by: string, body: object) =>
      readAnswer(gateway.call('PATCH', `/api/v1/api-keys/${id}`, { key: by, body }));
    const changed = await change(gateway.key, { allowed_models: ['gpt-a', 'gpt-b'] });
    assert.deepEqual(
      [changed.status, changed.body['allowed_models'], changed.body['daily_token_limit']],
      [200, ['gpt-a', 'gpt-b'], 100],
    );
    assert.equal((await ask(key, chat('gpt-b'))).status, 200);
    assert.equal((await change(key, { daily_token_limit: null })).error['code'], 'insufficient_scope');
    assert.equal((await change(key, { allowed_models: [] })).error['code'], 'insufficient_scope');
    assert.equal((await change(key, { daily_token_limit: 1 })).body['daily_token_limit'], 1);
    assert.equal((await ask(key, chat('gpt-b'))).status, 429);
    const lifted = await change(gateway.key, { allowed_models: [], daily_token_limit: null });
    assert.deepEqual([lifted.body['allowed_models'], lifted.body['daily_token_limit']], [[], null]);
    assert.equal((await ask(key, chat('gpt-c'))).status, 200);
    for (const bad of [{ daily_token_limit: 0 }, { allowed_models: 'x' }, { allowed_models: [''] }])
      assert.equal((await change(gateway.key, bad)).status, 422, JSON.stringify(bad));
    const none = await gateway.call('PATCH', '/api/v1/api-keys/key_none', { body: {} });
    assert.equal(none.status, 404);
  });

  test('a key creates, reveals and rotates no key with wider limits than its own', async () => {
    const create = (key: string, body: object) => ask(key, { name: 'made', ...body }, '/api/v1/api-keys');
    const key = await limited({ allowedModels: ['gpt-a', 'gpt-b'], dailyTokenLimit: 100 });
    const list = async () =>
      (await (await gateway.call('GET', '/api/v1/api-keys')).json()) as Record<string, unknown>[];
    const made = await create(key, {});
    const found = (await list()).find(({ id }) => id === made.body['id']);
    assert.deepEqual([found?.['allowed_models'], found?.['daily_token_limit']], [['gpt-a', 'gpt-b'], 100]);
    const less = await create(key, { allowed_models: ['gpt-b'], daily_token_limit: 500 });
    const smaller = (await list()).find(({ id }) => id === less.body['id']);
    assert.deepEqual([smaller?.['allowed_models'], smaller?.['daily_token_limit']], [['gpt-b'], 100]);
    assert.equal((await create(key, { allowed_models: ['gpt-c'] })).error['code'], 'insufficient_scope');
    const own = (await gateway.storage.keys.findForAuth(gateway.key))!.id;
    for (const [method, path] of [
      ['GET', `${own}/reveal`],
      ['POST', `${own}/rotate`],
    ] as const) {
      const denied = await readAnswer(gateway.call(method, `/api/v1/api-keys/${path}`, { key }));
      assert.deepEqual([denied.status, denied.error['code']], [403, 'insufficient_scope'], path);
    }
    const rotated = await ask(key, {}, `/api/v1/api-keys/${less.body['id']}/rotate`);
    const fresh = (await list()).find(({ id }) => id === rotated.body['id']);
    assert.deepEqual([fresh?.['allowed_models'], fresh?.['daily_token_limit']], [['gpt-b'], 100]);
    for (const bad of [
      { allowed_models: 'gpt-a' },
      { allowed_models: [''] },
      { daily_token_limit: 0 },
      { daily_token_limit: 1.5 },
    ])
      assert.equal((await create(gateway.key, bad)).status, 422, JSON.stringify(bad));
  });
});
