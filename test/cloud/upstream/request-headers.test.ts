import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';

import { endpointByName } from '@csg/shared/providers';
import type { Provider } from '../../../apps/cloud/src/upstream/provider.ts';
import {
  createUpstream,
  type Upstream,
  type UpstreamRequest,
} from '../../../apps/cloud/src/upstream/send.ts';
import { startTestProvider, type TestProvider } from '../../support/test-provider.ts';
import { ODD_BODY as body, chatRequest, failure, providersAt } from '../../support/upstream-call.ts';

let testProvider: TestProvider;
let upstream: Upstream;
let openai: Provider;
let anthropic: Provider;
before(async () => {
  testProvider = await startTestProvider();
  upstream = createUpstream({ timeoutMs: 60_000, maxResponseBytes: 1024 * 1024 });
  ({ openai, anthropic } = providersAt(testProvider.url));
});
afterEach(() => testProvider.reset());
after(async () => {
  await upstream.close();
  await testProvider.close();
});

const ask = (change: Partial<UpstreamRequest> = {}): UpstreamRequest => chatRequest(openai, change);

describe('a request to a provider', () => {
  it('has the body as it came, byte for byte, with its length', async () => {
    await upstream.send(ask());
    const got = testProvider.lastRequest();
    assert.equal(got.method, 'POST');
    assert.equal(got.url, '/v1/chat/completions');
    assert.ok(got.body.equals(body));
    assert.equal(got.headers['content-length'], String(body.length));
    assert.equal(got.headers['transfer-encoding'], undefined);
  });

  it('has every allowed header of the client and no other', async () => {
    await upstream.send(
      ask({
        headers: {
          accept: 'application/json',
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'OpenAI/JS 7',
          'x-stainless-lang': 'js',
          'openai-organization': 'org-1',
          'openai-project': 'proj-1',
          'openai-beta': 'assistants=v2',
          'session-id': 's1',
          'x-codex-turn-metadata': '{}',
          'x-api-key': 'svc_live_secret',
          authorization: 'Bearer sk-other',
          cookie: 'session=1',
          host: 'gateway.example',
          connection: 'keep-alive, x-custom',
          'keep-alive': 'timeout=5',
          'transfer-encoding': 'chunked',
          'content-length': '3',
          'content-encoding': 'gzip',
          'accept-encoding': 'gzip, br',
          expect: '100-continue',
          te: 'trailers',
          upgrade: 'websocket',
          'proxy-authorization': 'Basic x',
          'x-forwarded-for': '10.1.2.3',
          forwarded: 'for=10.1.2.3',
          'idempotency-key': 'abc',
          'x-request-id': 'ours',
          'x-service-provider': 'openai',
          'anthropic-beta': 'not-for-openai',
          origin: 'https://app.example',
          'sec-fetch-mode': 'cors',
        },
      }),
    );
    const { host, 'content-length': _, connection, ...rest } = testProvider.lastRequest().headers;
    assert.equal(`http://${host}`, testProvider.url);
    assert.equal(connection, 'keep-alive');
    assert.deepEqual(rest, {
      'accept-encoding': 'identity',
      accept: 'application/json',
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'OpenAI/JS 7',
      'x-stainless-lang': 'js',
      'openai-organization': 'org-1',
      'openai-project': 'proj-1',
      'openai-beta': 'assistants=v2',
      'session-id': 's1',
      'x-codex-turn-metadata': '{}',
      authorization: 'Bearer sk-provider',
    });
  });

  it('carries the credential of a messages-style provider in its own header, with a version', async () => {
    await upstream.send(
      ask({ provider: anthropic, endpoint: endpointByName('anthropic-messages'), query: 'beta=true' }),
    );
    const got = testProvider.lastRequest();
    assert.equal(got.url, '/v1/messages?beta=true');
    assert.equal(got.headers['x-api-key'], 'sk-provider');
    assert.equal(got.headers.authorization, undefined);
    assert.equal(got.headers['anthropic-version'], '2023-06-01');
  });

  it("keeps the client's version and betas", async () => {
    const headers = { 'anthropic-version': '2024-01-01', 'anthropic-beta': 'a,b' };
    await upstream.send(
      ask({ provider: anthropic, endpoint: endpointByName('anthropic-count-tokens'), headers }),
    );
    const got = testProvider.lastRequest();
    assert.equal(got.url, '/v1/messages/count_tokens');
    assert.equal(got.headers['anthropic-version'], '2024-01-01');
    assert.equal(got.headers['anthropic-beta'], 'a,b');
    assert.equal(got.headers['content-type'], 'application/json');
  });

  it('is a GET without a body for the model list', async () => {
    const answer = await upstream.send(ask({ endpoint: endpointByName('models'), body: null, headers: {} }));
    const got = testProvider.lastRequest();
    assert.equal(`${got.method} ${got.url}`, 'GET /v1/models');
    assert.equal(got.body.length, 0);
    assert.equal(got.headers['content-type'], undefined);
    assert.ok(JSON.parse(answer.body.toString()).data.length > 0);
  });

  for (const credential of ['svc_live_abcdefgh_rest', '', 'sk with blank', 'sk\r\nx: y', 'sk-ü']) {
    it(`is not sent with the credential ${JSON.stringify(credential)}`, async () => {
      const error = await failure(upstream.send(ask({ credential })));
      assert.equal(error.code, 'invalid_api_key');
      assert.equal(error.status, 401);
      assert.match(error.message, /OpenAI/);
      if (credential !== '') assert.ok(!error.message.includes(credential));
      assert.equal(testProvider.requests.length, 0);
    });
  }
});
