import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownerOfCredential } from '@csg/shared/providers';
import { createProviders } from '../../../apps/cloud/src/upstream/providers.ts';

test('the beginning of a credential identifies its provider, or none', () => {
  for (const [credential, provider] of [
    ['sk-ant-api03-abc', 'anthropic'],
    ['sk-ant-oat01-abc', 'anthropic'],
    ['sk-proj-abc', 'openai'],
    ['AIzaSyabc', 'gemini'],
    ['sk-abc', undefined],
    ['anything', undefined],
    ['', undefined],
  ] as const)
    assert.equal(ownerOfCredential(credential)?.name, provider, credential);
});

test('a built-in provider takes no credential of another, a configured one none of a built-in one unless declared', () => {
  const row = { base_url: 'https://llm.example', dialects: ['openai-chat' as const] };
  const providers = createProviders({
    extra: [
      { ...row, name: 'mirror', credential_prefixes: ['sk-ant-'] },
      { ...row, name: 'plain' },
    ],
  });
  const foreign = (name: string, credential: string) =>
    providers.find((provider) => provider.name === name)?.foreignOwnerOf(credential) ?? null;
  assert.equal(foreign('openai', 'sk-ant-api03-x'), 'Anthropic');
  assert.equal(foreign('anthropic', 'sk-proj-x'), 'OpenAI');
  assert.equal(foreign('openai', 'gsk_x'), 'Groq');
  assert.equal(foreign('openai', 'sk-proj-x'), null);
  assert.equal(foreign('anthropic', 'sk-ant-oat01-x'), null);
  assert.equal(foreign('plain', 'sk-ant-x'), 'Anthropic');
  assert.equal(foreign('plain', 'gsk_x'), null);
  assert.equal(foreign('mirror', 'sk-ant-x'), null);
  assert.equal(foreign('mirror', 'sk-proj-x'), 'OpenAI');
});
