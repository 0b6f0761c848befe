import assert from 'node:assert/strict';
import { createCipheriv } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { readAnswer } from '../support/answers.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { startTestProvider, type TestProvider } from '../support/test-provider.ts';

const MIB = 1_048_576;
const chat = (content: unknown, more: object = {}) => ({
  model: 'm',
  messages: [{ role: 'user', content }],
  ...more,
});
const contents = (text: string) => ({ contents: [{ role: 'user', parts: [{ text }] }] });
const message = (more: object = {}) =>
  chat('Hello', { max_tokens: 9, anthropic_version: 'vertex-2023-10-16', ...more });
const VERTEX = '/api/v1/projects/p/locations/global/publishers/anthropic/models';

/** Meaningless bytes after the signature of a PNG file. */
function picture(sizeBytes: number): string {
  const noise = createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(
    Buffer.alloc(sizeBytes),
  );
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), noise]).toString('base64');
}

describe('bad input of clients', () => {
  let testProvider: TestProvider;
  let gateway: TestGateway;
  before(async () => {
    testProvider = await startTestProvider();
    gateway = await startGateway({ providerUrl: testProvider.url });
    const { organizationId, projectId } = gateway.account;
    const stored = {
      azure: 'stored-azure',
      bedrock: 'AKIDEXAMPLE:wrong-secret',
      gemini: 'AIzaSy-stored',
      vertex: 'ya29.x',
    };
    for (const [provider, secret] of Object.entries({ ...stored, openai: 'sk-x', anthropic: 'sk-ant-x' }))
      await gateway.storage.projects.setCredential(organizationId, projectId, provider, secret);
  });
  after(async () => {
    await gateway.close();
    await testProvider.close();
  });
  beforeEach(() => testProvider.reset());

  const ask = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    readAnswer(gateway.call('POST', path, { body, headers }));

  test('model names with slashes, dots and percent codes stay one segment of the path', async () => {
    for (const [path, at] of [
      [
        '/api/v1beta/models/tuned%2Fmy%20model%25:generateContent',
        '/v1beta/models/tuned%2Fmy%20model%25:generateContent',
      ],
      [
        '/api/v1beta/models/..%2F..%2Ffiles:generateContent',
        '/v1beta/models/..%2F..%2Ffiles:generateContent',
      ],
    ]) {
      const { status, text } = await ask(path!, contents('Hello'));
      assert.equal(status, 200, text);
      assert.equal(testProvider.lastRequest().url, at);
    }
    const vertex = await ask(`${VERTEX}/a%2Fb%25@1:rawPredict`, message());
    assert.equal(vertex.status, 200, vertex.text);
    assert.match(testProvider.lastRequest().url, /\/models\/a%2Fb%25@1:rawPredict$/);
    const { length } = testProvider.requests;
    for (const path of ['/api/v1beta/models/%zz:generateContent', '/api/v1beta/models/a%:generateContent']) {
      const { status, error } = await ask(path, contents('Hello'));
      assert.ok(status === 400 || status === 404, `${path}: ${status}`);
      assert.ok(typeof error['code'] === 'string', path);
    }
    assert.equal(testProvider.requests.length, length);
  });

  test('an unknown deployment and a wrong signature are provider errors in the gateway’s envelope', async () => {
    testProvider.answer({
      status: 404,
      body: JSON.stringify({
        error: { code: 'DeploymentNotFound', message: 'The API deployment does not exist.' },
      }),
    });
    const azure = await ask(
      '/api/openai/deployments/none/chat/completions?api-version=2024-10-21',
      chat('Hello'),
    );
    assert.deepEqual([azure.status, azure.error['code']], [404, 'provider_error']);
    assert.equal(azure.error['provider_code'], 'DeploymentNotFound');
    testProvider.answer({
      status: 403,
      headers: { 'x-amzn-errortype': 'InvalidSignatureException' },
      body: JSON.stringify({
        message: 'The request signature we calculated does not match the signature you provided.',
      }),
    });
    const bedrock = await ask('/api/v1/model/m/converse', {
      messages: [{ role: 'user', content: [{ text: 'Hello' }] }],
    });
    assert.equal(bedrock.error['provider'], 'bedrock', bedrock.text);
    assert.ok(bedrock.status >= 400, bedrock.text);
    assert.match(bedrock.text, /signature/);
    assert.ok(!bedrock.text.includes('wrong-secret'), bedrock.text);
  });

  test('an image of almost 32 MB is forwarded byte for byte, a larger body is rejected', async () => {
    const url = `data:image/png;base64,${picture(23.5 * MIB)}`;
    const body = JSON.stringify(
      chat([
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url } },
      ]),
    );
    assert.ok(body.length > 31 * MIB && body.length < 32 * MIB);
    const passed = await ask('/api/v1/chat/completions', body);
    assert.equal(passed.status, 200, passed.text.slice(0, 300));
    assert.ok(testProvider.lastRequest().body.equals(Buffer.from(body)));
    const larger = await ask('/api/v1/chat/completions', body + ' '.repeat(MIB));
    assert.deepEqual([larger.status, larger.error['code']], [413, 'payload_too_large']);
    assert.equal(testProvider.requests.length, 1);
  });

  test('a stream that ends within a frame sends no part of that frame', async () => {
    const events = { 'content-type': 'text/event-stream' };
    for (const [path, body, frame] of [
      [
        '/api/v1/chat/completions',
        chat('Hello', { stream: true }),
        'data: {"choices":[{"index":0,"delta":{"content":"Par',
      ],
      [
        '/api/v1/messages',
        message({ stream: true }),
        'event: content_block_delta\ndata: {"type":"content_block_delta","del',
      ],
      [
        '/api/v1/responses',
        { model: 'm', input: 'Hello', stream: true },
        'event: response.output_text.delta\ndata: {"type":',
      ],
      [
        '/api/v1beta/models/m:streamGenerateContent?alt=sse',
        contents('Hello'),
        'data: {"candidates":[{"content":{"parts":',
      ],
    ] as const) {
      testProvider.answer({ headers: events, body: frame });
      const { status, error, text } = await ask(
        path,
        body,
        path.endsWith('messages') ? { 'anthropic-version': '2023-06-01' } : {},
      );
      assert.deepEqual([status, error['code']], [502, 'provider_error'], `${path}: ${text}`);
      assert.ok(!text.includes('Par'), text);
    }
  });
});
