import assert from 'node:assert/strict';
import { it } from 'node:test';
import { findEndpoint } from '../../../shared/providers/index.ts';

const OWN: readonly (readonly [string, string])[] = [
  ['/chat/completions', 'openai-chat'],
  ['/messages', 'anthropic-messages'],
  ['/responses', 'openai-responses'],
  ['/messages/count_tokens', 'anthropic-count-tokens'],
];

for (const [path, name] of OWN) {
  it(`finds ${name} at ${path} under every prefix`, () => {
    for (const prefix of ['', '/v1', '/api/v1', '/proxy', '/api/v1/proxy', '/proxy/v1']) {
      assert.equal(findEndpoint({ method: 'POST', path: prefix + path })?.name, name, prefix);
      assert.equal(findEndpoint({ method: 'post', path: `${prefix}${path}?beta=true` })?.name, name, prefix);
    }
    assert.equal(findEndpoint({ method: 'GET', path }), undefined);
    assert.equal(findEndpoint({ method: 'POST', path: `/x${path}` }), undefined);
    assert.equal(findEndpoint({ method: 'POST', path: `${path}/7` }), undefined);
  });
}

it('finds providers by their host', () => {
  const find = (host: string, path: string) => findEndpoint({ method: 'POST', host, path })?.name;
  assert.equal(find('api.openai.com', '/v1/chat/completions'), 'openai-chat');
  assert.equal(find('API.OpenAI.com.:443', '/v1/responses'), 'openai-responses');
  assert.equal(find('api.anthropic.com', '/v1/messages?beta=true'), 'anthropic-messages');
  assert.equal(find('api.anthropic.com', '/v1/messages/count_tokens'), 'anthropic-count-tokens');
  assert.equal(find('api.groq.com', '/openai/v1/chat/completions'), 'openai-chat');
  assert.equal(
    find('x.openai.azure.com', '/openai/deployments/d/chat/completions?api-version=1'),
    'azure-deployment-openai-chat',
  );
  assert.equal(find('api.openai.com', '/v1/files'), undefined);
  assert.equal(find('api.openai.com.evil.test', '/v1/chat/completions'), undefined);
  assert.equal(find('evilapi.openai.com', '/v1/chat/completions'), undefined);
});
