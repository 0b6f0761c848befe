import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { addKeyOf } from '../../support/accounts.ts';
import { readAnswer } from '../../support/answers.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { startTestProvider, type TestProvider } from '../../support/test-provider.ts';

describe('the provider’s credential', () => {
  let gateway: TestGateway;
  let testProvider: TestProvider;
  before(async () => {
    testProvider = await startTestProvider();
    gateway = await startGateway({ providerUrl: testProvider.url });
    const { organizationId, projectId } = gateway.account;
    await gateway.storage.projects.setCredential(organizationId, projectId, 'openai', 'sk-of-the-project');
  });
  after(async () => {
    await gateway.close();
    await testProvider.close();
  });
  beforeEach(() => testProvider.reset());

  const ask = (authorization: string | null, key = gateway.key) =>
    readAnswer(
      gateway.call('POST', '/api/v1/chat/completions', {
        key,
        body: { model: 'gpt-test', messages: [{ role: 'user', content: 'hello' }] },
        headers: authorization === null ? {} : { authorization },
      }),
    );
  const sent = () => testProvider.lastRequest().headers.authorization;

  test('is the caller’s own, or without one the project’s', async () => {
    for (const [authorization, due] of [
      ['Bearer sk-own', 'Bearer sk-own'],
      ['bearer   sk-own', 'Bearer sk-own'],
      [null, 'Bearer sk-of-the-project'],
      ['Bearer ', 'Bearer sk-of-the-project'],
      ['Basic dXNlcjpwYXNz', 'Bearer sk-of-the-project'],
    ] as const) {
      const answer = await ask(authorization);
      assert.equal(answer.status, 200, String(authorization));
      assert.equal(sent(), due, String(authorization));
    }
  });

  test('is never that of another project or of another provider', async () => {
    const { organizationId, accountId } = gateway.account;
    const other = await gateway.storage.projects.insert(organizationId, { name: 'Other' });
    const key = await addKeyOf(gateway, { organizationId, projectId: other.id }, accountId);
    const none = await addKeyOf(gateway, { organizationId, projectId: null }, accountId);
    for (const without of [key, none]) {
      const refused = await ask(null, without);
      assert.equal(refused.status, 401);
      assert.equal(refused.error['code'], 'missing_provider_key');
    }
    const anthropic = await readAnswer(
      gateway.call('POST', '/api/v1/messages', {
        body: { model: 'claude-test', max_tokens: 5, messages: [{ role: 'user', content: 'hello' }] },
      }),
    );
    assert.equal(anthropic.error['code'], 'missing_provider_key');
    assert.equal(testProvider.requests.length, 0);
  });

  test('is the one that X-Service-Credential names, else the one for the model, else the default one', async () => {
    const { organizationId, projectId } = gateway.account;
    const { projects } = gateway.storage;
    await projects.setCredential(organizationId, projectId, 'openai', 'sk-of-team-a', {
      ...{ name: 'Team A', models: ['gpt-a'] },
    });
    const choose = (model: string, headers: Record<string, string>) =>
      readAnswer(
        gateway.call('POST', '/api/v1/chat/completions', {
          headers,
          body: { model, messages: [{ role: 'user', content: 'hello' }] },
        }),
      );
    const named = (name: string) => ({ 'x-service-credential': name });
    for (const [model, headers, due] of [
      ['gpt-test', {}, 'sk-of-the-project'],
      ['gpt-a', {}, 'sk-of-team-a'],
      ['gpt-test', named('Team A'), 'sk-of-team-a'],
      ['gpt-a', named('default'), 'sk-of-the-project'],
      ['gpt-a', named(''), 'sk-of-team-a'],
      ['gpt-a', { authorization: 'Bearer sk-own' }, 'sk-own'],
      ['gpt-test', { authorization: 'Bearer sk-own', ...named('Team A') }, 'sk-of-team-a'],
    ] as const) {
      const answer = await choose(model, headers);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(sent(), `Bearer ${due}`, JSON.stringify([model, headers]));
    }
    testProvider.reset();
    const unknown = await choose('gpt-a', named('team a'));
    assert.deepEqual([unknown.status, unknown.error['code']], [400, 'invalid_request']);
    assert.equal(testProvider.requests.length, 0);
    assert.doesNotMatch(unknown.text, /Team A|sk-/);
    await projects.removeCredential(organizationId, projectId, 'openai', 'Team A');
  });

  test('is never an API key of the gateway, in any spelling', async () => {
    for (const authorization of [`Bearer ${gateway.key}`, `BEARER ${gateway.key.toUpperCase()}`]) {
      const refused = await ask(authorization);
      assert.equal(refused.status, 401);
      assert.equal(refused.error['code'], 'missing_provider_key');
      assert.doesNotMatch(refused.text, new RegExp(gateway.key));
    }
    assert.equal(testProvider.requests.length, 0);
  });
});
