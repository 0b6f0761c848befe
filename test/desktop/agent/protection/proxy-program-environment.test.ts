import assert from 'node:assert/strict';
import { test } from 'node:test';
import { childEnvironment } from '../../../../apps/desktop/src/agent/protection/proxy-program.ts';

test('a child process gets what Node needs and no other setting or secret', () => {
  const env = {
    PATH: '/bin',
    OPENAI_API_KEY: 'sk',
    AGENT_VAULT: 'file',
    HTTPS_PROXY: 'http://x',
    HOME: undefined,
  };
  assert.deepEqual(childEnvironment(env, '/state/compile-cache'), {
    PATH: '/bin',
    NODE_USE_SYSTEM_CA: '1',
    NODE_COMPILE_CACHE: '/state/compile-cache',
  });
});
