import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { serviceKeyIn } from '../../../apps/cloud/src/flows/service-key.ts';
import { readAnswer } from '../../support/answers.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { startTestProvider, type TestProvider } from '../../support/test-provider.ts';

const KEY = 'svc_live_first';
const OTHER = 'svc_live_second';

for (const [what, headers, due] of [
  ['X-API-Key', { 'x-api-key': KEY }, KEY],
  ['X-API-Key, whatever else is sent', { 'x-api-key': 'x', authorization: `Bearer ${KEY}` }, 'x'],
  ['a bearer token', { authorization: `bearer  ${KEY}` }, KEY],
  ['api-key', { 'api-key': KEY }, KEY],
  ['x-goog-api-key', { 'x-goog-api-key': KEY }, KEY],
  ['the first of several', { 'x-goog-api-key': OTHER, authorization: `Bearer ${KEY}` }, KEY],
  ['the header that has a key of the gateway', { 'api-key': KEY, authorization: 'Bearer sk-proj-x' }, KEY],
  ['another header if X-API-Key is empty', { 'x-api-key': '', authorization: `Bearer ${KEY}` }, KEY],
  ['no provider credential', { authorization: 'Bearer sk-proj-x', 'api-key': 'x' }, undefined],
  ['no basic credential', { authorization: `Basic ${KEY}` }, undefined],
] as const)
  test(`the API key is taken from ${what}`, () => assert.equal(serviceKeyIn(headers), due));

describe('clients with a single field for a key', () => {
  let gateway: TestGateway;
  let testProvider: TestProvider;
  before(async () => {
    testProvider = await startTestProvider();
    gateway = await startGateway({ providerUrl: testProvider.url });
    const { organizationId, projectId } = gateway.account;
    for (const name of ['openai', 'anthropic'])
      await gateway.storage.projects.setCredential(organizationId, projectId, name, `stored-${name}`);
  });
  after(async () => {
    await gateway.close();
    await testProvider.close();
  });
  beforeEach(() => testProvider.reset());

  const body = { model: 'gpt-test', messages: [{ role: 'user' as const, content: 'hello' }] };
  const nothingLeaked = () =>
    assert.ok(
      !JSON.stringify(testProvider.requests.map(({ rawHeaders }) => rawHeaders)).includes('svc_live_'),
    );

  test('work with the address and the API key alone (packages of the providers)', async () => {
    const openai = new OpenAI({ baseURL: `${gateway.address}/api/v1`, apiKey: gateway.key });
    assert.ok((await openai.chat.completions.create(body)).choices.length > 0);
    assert.equal(testProvider.lastRequest().headers.authorization, 'Bearer stored-openai');
    for (const credential of [{ apiKey: gateway.key }, { authToken: gateway.key }]) {
      const anthropic = new Anthropic({ baseURL: `${gateway.address}/api`, ...credential });
      await anthropic.messages.create({ ...body, model: 'claude-test', max_tokens: 9 });
      assert.equal(testProvider.lastRequest().headers['x-api-key'], 'stored-anthropic');
    }
    nothingLeaked();
  });

  for (const header of ['authorization', 'api-key', 'x-goog-api-key'])
    test(`${header} is accepted at the gateway's own routes and by the model proxy`, async () => {
      const value = header === 'authorization' ? `Bearer ${gateway.key}` : gateway.key;
      const ask = (path: string, sent: object) =>
        readAnswer(
          gateway.call('POST', `/api/v1/${path}`, { key: null, headers: { [header]: value }, body: sent }),
        );
      assert.equal((await ask('guard', { messages: body.messages })).status, 200);
      assert.equal((await ask('chat/completions', body)).status, 200);
      assert.equal(testProvider.lastRequest().headers.authorization, 'Bearer stored-openai');
      nothingLeaked();
    });

  test('send their own credential only next to X-API-Key', async () => {
    const headers = { 'api-key': gateway.key };
    await gateway.call('POST', '/api/v1/chat/completions', { key: null, headers, bearer: 'sk-own', body });
    assert.equal(testProvider.lastRequest().headers.authorization, 'Bearer stored-openai');
  });

  test('get a 401 for an unknown or foreign key, without a call to the provider', async () => {
    const ask = (headers: Record<string, string>) =>
      readAnswer(gateway.call('POST', '/api/v1/chat/completions', { key: null, headers, body }));
    const unknown = await ask({ authorization: 'Bearer svc_live_unknown' });
    assert.deepEqual([unknown.status, unknown.error['code']], [401, 'invalid_api_key']);
    const foreign = await ask({ authorization: 'Bearer sk-proj-x' });
    assert.deepEqual([foreign.status, foreign.error['code']], [401, 'missing_api_key']);
    assert.equal(testProvider.requests.length, 0);
  });
});
