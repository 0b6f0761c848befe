import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI, { NotFoundError } from 'openai';
import { readAnswer } from '../../support/answers.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { startTestProvider, type TestProvider } from '../../support/test-provider.ts';

const ADDRESSES = [
  ...['POST files', 'GET files', 'GET files/file_1/content', 'DELETE files/file_1', 'POST uploads'],
  ...['POST batches', 'POST audio/speech', 'POST audio/transcriptions', 'POST images/edits'],
  ...['POST images/variations', 'POST assistants', 'POST threads/t/runs', 'GET vector_stores'],
  ...['POST fine_tuning/jobs', 'GET realtime', 'POST conversations', 'POST messages/batches'],
  ...['GET messages/batches/b/results', 'POST chat/completions/c', 'GET responses/r/input_items'],
  ...['POST projects/p/locations/l/publishers/x/models/m:predict', 'POST model/m/other'],
  ...['PUT realtime/calls'],
];

describe('a route of a provider that is not served', () => {
  let gateway: TestGateway;
  let testProvider: TestProvider;
  before(async () => {
    testProvider = await startTestProvider();
    gateway = await startGateway({ providerUrl: testProvider.url });
  });
  after(async () => {
    await gateway.close();
    await testProvider.close();
  });

  const ask = (address: string, key?: string | null) => {
    const [method, path] = address.split(' ') as [string, string];
    return readAnswer(
      gateway.call(method, path, { bearer: 'sk-own', ...(key === undefined ? {} : { key }) }),
    );
  };

  test('is a 404 that lists what is served, also under /proxy, and nothing is forwarded', async () => {
    const prefixed = ['/api/v1/', '/api/v1/proxy/'].flatMap((prefix) =>
      ADDRESSES.map((address) => address.replace(' ', ` ${prefix}`)),
    );
    for (const address of [
      ...prefixed,
      'GET /api/v1beta/files',
      'POST /api/openai/assistants?api-version=1',
    ]) {
      const answer = await ask(address);
      const { code, type, message, supported } = answer.error;
      assert.deepEqual([answer.status, code, type], [404, 'unsupported_route', 'not_found_error'], address);
      assert.match(String(message), /POST \/api\/v1\/chat\/completions/);
      assert.ok((supported as string[]).includes('GET /api/v1/models'), address);
      assert.equal(answer.headers.get('x-service-decision'), 'allow', address);
      assert.ok(answer.headers.has('x-ratelimit-limit'), address);
      const unknown = await ask(address, null);
      assert.deepEqual([unknown.status, unknown.error['code']], [401, 'missing_api_key'], address);
    }
    assert.equal(testProvider.requests.length, 0);
  });

  test('names the route if only a slash is too much', async () => {
    for (const path of ['/api/v1/chat/completions', '/api/v1/messages']) {
      const answer = await ask(`POST ${path}/`);
      assert.deepEqual([answer.status, answer.error['code']], [404, 'unsupported_route']);
      const meant = `Did you mean ${path}? The path of the request ends with a slash.`;
      assert.ok(String(answer.error['message']).endsWith(meant), String(answer.error['message']));
    }
    assert.equal(testProvider.requests.length, 0);
  });

  test('names a served route that differs in a plural, the case or a separator', async () => {
    for (const [path, meant] of [
      ['/api/v1/chat/completion', 'POST /api/v1/chat/completions'],
      ['/api/v1/proxy/chat/Completions', 'POST /api/v1/chat/completions'],
      ['/api/v1/images/generation', 'POST /api/v1/images/generations'],
      ['/api/v1/messages/count-token', 'POST /api/v1/messages/count_tokens'],
    ] as const) {
      const answer = await ask(`POST ${path}`);
      assert.equal(answer.error['code'], 'unsupported_route', path);
      assert.ok(
        String(answer.error['message']).endsWith(`Did you mean ${meant}?`),
        String(answer.error['message']),
      );
    }
    assert.match(String((await ask('POST /api/v1/files')).error['message']), /Supported routes are/);
  });

  test('needs the scope of the model proxy', async () => {
    const { plain } = await gateway.addKey({ permissions: ['scan'] });
    assert.equal((await ask('POST /api/v1/files', plain)).error['code'], 'insufficient_scope');
  });

  test('is rejected before a body of any size and type is read', async () => {
    const openai = new OpenAI({ baseURL: `${gateway.address}/api/v1`, apiKey: gateway.key, maxRetries: 0 });
    const file = new File(['x'.repeat(100_000)], 'a.txt');
    await assert.rejects(
      () => openai.files.create({ file, purpose: 'assistants' }),
      (error) => error instanceof NotFoundError && /not supported/.test(error.message),
    );
    const anthropic = new Anthropic({ baseURL: `${gateway.address}/api`, apiKey: gateway.key });
    await assert.rejects(() => anthropic.messages.batches.list(), /unsupported_route/);
  });

  test('is distinguished from unknown paths and from other methods', async () => {
    for (const [address, code] of [
      ['GET /api/v1/nowhere', 'not_found'],
      ['GET /api/v1/filesystem', 'not_found'],
      ['GET /api/v2/files', 'not_found'],
      ['GET /files', 'not_found'],
      ['GET /api/v1/chat/completions', 'method_not_allowed'],
      ['GET /api/v1/messages/count_tokens', 'method_not_allowed'],
      ['POST /api/v1/models/gpt-test', 'method_not_allowed'],
    ] as const)
      assert.equal((await ask(address)).error['code'], code, address);
  });
});
