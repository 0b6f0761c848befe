import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activeExceptions, compilePolicy } from '../../../apps/desktop/src/inspect/compile-policy.ts';
import { testPolicy } from '../../support/desktop/test-stack.ts';

test('an exception applies to its host until it expires', () => {
  const exception = { id: 'exc_1', host: 'chatgpt.com', threats: ['pii_leak' as const], untilMs: 1_000 };
  const policy = testPolicy({ exceptions: [exception] });
  assert.deepEqual(activeExceptions(policy, 'ChatGPT.com', 999), [exception]);
  assert.deepEqual(activeExceptions(policy, 'chatgpt.com', 1_000), []);
  assert.deepEqual(activeExceptions(policy, 'claude.ai', 0), []);
});

test('compiles host lists into matchers', () => {
  const compiled = compilePolicy(
    testPolicy({ hosts: ['a.example'], bypassHosts: ['b.example'], blockedTools: ['c.example'] }),
  );
  assert.ok(
    compiled.isAiHost('a.example') && compiled.isBypassed('b.example') && compiled.isBlockedTool('c.example'),
  );
});
