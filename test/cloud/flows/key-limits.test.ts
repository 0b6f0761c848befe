import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { KeyLimits } from '../../../apps/cloud/src/storage/storage.ts';
import { readAnswer } from '../../support/answers.ts';
import { onBothDatabases } from '../../support/both-databases.ts';
import { createHandClock } from '../../support/clock.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { startVendor, type Vendor } from '../../support/vendor.ts';

const CHAT = '/api/v1/chat/completions';
const DAY_MS = 86_400_000;

onBothDatabases('limits of a key', (start) => {
  const clock = createHandClock();
  let gateway: TestGateway;
  let vendor: Vendor;
  before(async () => {
    vendor = await startVendor();
    gateway = await start({ clock, vendorUrl: vendor.url });
  });
  after(async () => {
    await gateway.close();
    await vendor.close();
  });
  beforeEach(() => vendor.reset());

  const limited = async (limits: Partial<KeyLimits>) => (await gateway.addKey({ limits })).plain;
  const ask = (key: string, body: object, path = CHAT) =>
    readAnswer(gateway.call('POST', path, { key, body, bearer: 'sk-own' }));
  const chat = (model: string | undefined, more: object = {}) => ({
    model,
    messages: [{ role: 'user', content: 'hello' }],
    ...more,
  });

  test('a key with models is used for those alone, and no request for another one goes up', async () => {
    const key = await limited({ allowedModels: ['gpt-a', 'claude-a'] });
    assert.equal((await ask(key, chat('gpt-a'))).status, 200);
    assert.equal((await ask(key, { ...chat('claude-a'), max_tokens: 5 }, '/api/v1/messages')).status, 200);
    vendor.reset();
    for (const model of ['gpt-b', 'GPT-A', 'gpt-a ', undefined]) {
      const denied = await ask(key, chat(model));
      assert.deepEqual([denied.status, denied.error['code']], [403, 'model_not_allowed'], String(model));
      assert.equal(denied.error['type'], 'permission_error');
    }
    assert.equal(vendor.requests.length, 0);
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
    assert.equal(vendor.requests.length, 2);
    clock.advance(leftS * 1000);
    assert.equal((await ask(key, chat('gpt-a'))).status, 200);
  });

  test('requests at one time are all counted', async () => {
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

  test('a key gives, shows and rotates no key with wider limits than its own', async () => {
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
