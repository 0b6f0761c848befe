import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  activeExceptions,
  compilePolicy,
  hostMatcher,
  normalHost,
} from '../../../apps/desktop/src/inspect/compile-policy.ts';
import { testPolicy } from '../../support/desktop/stand.ts';

test('a name is itself alone, a star is every name below it and not the name', () => {
  const matches = hostMatcher(['api.openai.com', '*.claude.ai', '::1']);
  for (const host of ['api.openai.com', 'API.OpenAI.com.', 'a.claude.ai', 'a.b.claude.ai', '[::1]']) {
    assert.ok(matches(host), host);
  }
  for (const host of [
    'openai.com',
    'x.api.openai.com',
    'claude.ai',
    'evilclaude.ai',
    'api.openai.com.evil.example',
  ]) {
    assert.ok(!matches(host), host);
  }
  assert.equal(normalHost('[2001:DB8::1]'), '2001:db8::1');
});

test('an exception is for its host and its time', () => {
  const exception = { id: 'exc_1', host: 'chatgpt.com', threats: ['pii_leak' as const], untilMs: 1_000 };
  const policy = testPolicy({ exceptions: [exception] });
  assert.deepEqual(activeExceptions(policy, 'ChatGPT.com', 999), [exception]);
  assert.deepEqual(activeExceptions(policy, 'chatgpt.com', 1_000), []);
  assert.deepEqual(activeExceptions(policy, 'claude.ai', 0), []);
});

test('a policy is made ready once', () => {
  const compiled = compilePolicy(
    testPolicy({ hosts: ['a.example'], bypassHosts: ['b.example'], blockedTools: ['c.example'] }),
  );
  assert.ok(
    compiled.isAiHost('a.example') && compiled.isBypassed('b.example') && compiled.isBlockedTool('c.example'),
  );
});
