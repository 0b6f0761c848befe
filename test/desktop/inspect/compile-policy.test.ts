import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  compilePolicy,
  hostMatcher,
  isExcepted,
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

test('an exception is for its host, its threat and its time', () => {
  const policy = testPolicy({ exceptions: [{ host: 'chatgpt.com', threat: 'pii_leak', untilMs: 1_000 }] });
  assert.ok(isExcepted(policy, 'ChatGPT.com', 'pii_leak', 999));
  assert.ok(!isExcepted(policy, 'chatgpt.com', 'pii_leak', 1_000));
  assert.ok(!isExcepted(policy, 'chatgpt.com', 'jailbreak', 0));
  assert.ok(!isExcepted(policy, 'claude.ai', 'pii_leak', 0));
});

test('a policy is made ready once', () => {
  const compiled = compilePolicy(
    testPolicy({ hosts: ['a.example'], bypassHosts: ['b.example'], blockedTools: ['c.example'] }),
  );
  assert.ok(
    compiled.isAiHost('a.example') && compiled.isBypassed('b.example') && compiled.isBlockedTool('c.example'),
  );
});
