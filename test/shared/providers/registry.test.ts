import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  AI_HOSTS,
  API_ENDPOINTS,
  endpointByName,
  formatByName,
  PROVIDERS,
  WORDS,
} from '../../../shared/providers/index.ts';

it('names every provider once, and each of its endpoints', () => {
  const names = PROVIDERS.map(({ name }) => name);
  assert.deepEqual(names, [...new Set(names)]);
  for (const { name, endpoints, baseUrl } of PROVIDERS) {
    assert.match(name, /^[a-z0-9][a-z0-9-]{0,39}$/);
    if (baseUrl != null)
      assert.equal(new URL(baseUrl.replace('{region}', 'us-east-1')).protocol, 'https:', name);
    for (const endpoint of endpoints) assert.match(endpoint.path, /^\//, `${name}: ${endpoint.name}`);
  }
  for (const { name } of API_ENDPOINTS) assert.equal(endpointByName(name).name, name);
  assert.throws(() => formatByName('soap'), /there is no endpoint soap/);
});

it('lists the hosts that a device inspects, each once', () => {
  assert.deepEqual(AI_HOSTS, [...new Set(AI_HOSTS)]);
  for (const host of ['api.openai.com', 'claude.ai', 'poe.com', '*.openai.azure.com'])
    assert.ok(AI_HOSTS.includes(host), host);
  for (const host of ['bedrock-runtime.eu-west-1.amazonaws.com', 'us-east5-aiplatform.googleapis.com'])
    assert.ok(AI_HOSTS.includes(host), host);
  for (const host of ['substrate.office.com', 'github.com']) assert.ok(!AI_HOSTS.includes(host), host);
  for (const host of AI_HOSTS) assert.match(host, /^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+$/);
});

it('contains only short words without an attack or a secret', () => {
  for (const word of [...WORDS.names, ...WORDS.values]) {
    assert.match(word, /^[\w$./[\]-]{1,60}$/);
    assert.doesNotMatch(word, /\d{5}|@|ignore|bypass|reveal|password|secret|bash/i);
  }
});

it('matches exact words only', () => {
  for (const yes of ['user', 'chat.completion.chunk', '[DONE]']) assert.ok(WORDS.values.has(yes), yes);
  for (const no of ['User', 'user ', '', 'userx', 'bash', 'gpt-4o', 'x'.repeat(1_000)])
    assert.ok(!WORDS.values.has(no), no);
});
