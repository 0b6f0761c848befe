import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CodedError } from '@csg/shared/contract';
import { chooseProvider, createProviders } from '../../../apps/cloud/src/upstream/providers.ts';

const local = {
  name: 'local',
  label: 'Local models',
  base_url: 'http://127.0.0.1:11434/v1/',
  dialects: ['openai-chat', 'models'],
  model_patterns: ['llama*', 'mix*-instruct', 'exact'],
  pass_headers: ['x-*'],
};

describe('createProviders', () => {
  it('knows OpenAI, Anthropic and Gemini at their public addresses without any settings', () => {
    const providers = createProviders();
    assert.deepEqual(
      providers
        .filter(({ endpoints }) => endpoints.has('openai-chat'))
        .map((row) => [row.name, row.origin, row.pathOf('openai-chat')]),
      [
        ['anthropic', 'https://api.anthropic.com', '/v1/chat/completions'],
        ['openai', 'https://api.openai.com', '/v1/chat/completions'],
        ['gemini', 'https://generativelanguage.googleapis.com', '/v1beta/openai/chat/completions'],
      ],
    );
  });

  it('takes other base URLs, with a path of their own, and accepts a trailing /v1', () => {
    const providers = createProviders({
      urlOf: (name) => (name === 'openai' ? 'http://127.0.0.1:9000/openai/v1/' : 'http://[::1]:9001'),
    });
    const openai = providers.find((row) => row.name === 'openai')!;
    assert.equal(openai.origin, 'http://127.0.0.1:9000');
    assert.equal(openai.pathOf('openai-responses'), '/openai/v1/responses');
    assert.equal(providers.find((row) => row.name === 'anthropic')!.origin, 'http://[::1]:9001');
  });

  it('takes rows of the operator, and puts them first', () => {
    const [first] = createProviders({ extra: [{ ...local, paths: { 'openai-chat': '/chat' } }] });
    assert.equal(first!.name, 'local');
    assert.equal(first!.label, 'Local models');
    assert.equal(first!.pathOf('openai-chat'), '/chat');
    assert.equal(first!.pathOf('models'), '/v1/models');
  });

  const bad: [string, unknown, RegExp][] = [
    ['a taken name', [{ ...local, name: 'openai' }], /"openai": the name is already in use/],
    ['a name given twice', [local, local], /"local": the name is already in use/],
    ['an invalid URL', [{ ...local, base_url: 'localhost:1' }], /"local": base_url must be an http or https/],
    ['a URL with a secret', [{ ...local, base_url: 'https://u:p@h/' }], /must not contain credentials/],
  ];
  for (const [what, extra, message] of bad) {
    it(`rejects ${what} with a sentence`, () => assert.throws(() => createProviders({ extra }), message));
  }

  it('reports all problems together', () => {
    assert.throws(
      () =>
        createProviders({
          urlOf: (name) => (name === 'openai' ? 'ftp://x' : undefined),
          extra: [{}, { ...local, base_url: 'x' }],
        }),
      (error: Error) => ['provider 1 ', '"local"', '"openai"'].every((part) => error.message.includes(part)),
    );
  });
});

describe('chooseProvider', () => {
  const providers = createProviders({ extra: [local] });
  const choose = (endpoint: string, model?: string, named?: string) =>
    chooseProvider(providers, { endpoint, model, named }).name;

  it('takes the default of the endpoint if no pattern matches', () => {
    assert.equal(choose('openai-chat', 'gpt-5'), 'openai');
    assert.equal(choose('openai-chat'), 'openai');
    assert.equal(choose('openai-responses', 'claude-x'), 'openai');
    assert.equal(choose('anthropic-messages', 'gpt-5'), 'anthropic');
    assert.equal(choose('anthropic-count-tokens'), 'anthropic');
    assert.equal(choose('models'), 'openai');
  });

  it('follows the model if a provider with the endpoint claims it', () => {
    assert.equal(choose('openai-chat', 'claude-opus-4'), 'anthropic');
    assert.equal(choose('openai-chat', 'llama3:8b'), 'local');
    assert.equal(choose('openai-chat', 'mixtral-instruct'), 'local');
    assert.equal(choose('openai-chat', 'mixtral'), 'openai');
    assert.equal(choose('openai-chat', 'exact'), 'local');
    assert.equal(choose('openai-chat', 'exact2'), 'openai');
    assert.equal(choose('anthropic-messages', 'llama3'), 'anthropic');
  });

  it('follows X-Service-Provider', () => {
    assert.equal(choose('openai-chat', 'gpt-5', ' Local '), 'local');
    assert.equal(choose('models', undefined, 'anthropic'), 'anthropic');
  });

  it('rejects a named provider that is unknown or does not have the endpoint', () => {
    assert.throws(
      () => choose('openai-chat', 'gpt-5', 'acme'),
      (error: unknown) =>
        error instanceof CodedError &&
        error.code === 'invalid_request' &&
        JSON.stringify(error.fields['valid_providers']) ===
          '["local","anthropic","openai","gemini","vertex","bedrock"]',
    );
    assert.throws(
      () => choose('openai-responses', 'x', 'anthropic'),
      /Anthropic does not offer this endpoint/,
    );
  });
});

describe('Provider', () => {
  const [local1, anthropic, openai] = createProviders({ extra: [local] });

  it('has the credential in the header that the provider expects', () => {
    assert.equal(openai!.carrierOf('openai-chat', 'sk-1'), 'bearer');
    assert.equal(anthropic!.carrierOf('anthropic-messages', 'sk-ant-api03-1'), 'x-api-key');
    assert.equal(anthropic!.carrierOf('models', 'sk-ant-api03-1'), 'x-api-key');
    assert.equal(anthropic!.carrierOf('openai-chat', 'sk-ant-api03-1'), 'bearer');
    assert.equal(anthropic!.carrierOf('anthropic-messages', 'sk-ant-oat01-1'), 'bearer');
  });

  it('forwards no header that is ours or identifies the caller, even if a row asks for all', () => {
    for (const name of ['x-api-key', 'x-forwarded-for', 'x-real-ip', 'x-request-id', 'x-service-provider']) {
      assert.equal(local1!.passesHeader(name), false, name);
    }
    assert.equal(local1!.passesHeader('x-title'), true);
  });
});
