import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentCommands } from '../../../support/desktop/agent-process.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('without an action, or without a certificate, each command says what to do', async () => {
  const agent = agentCommands(tempFolder('trust-commands'));
  const { code, stderr } = await agent.run('ca');
  assert.equal(code, 1);
  assert.match(stderr, /^Enter "ca --print", "ca install" or "ca remove"\.$/m);
  for (const args of [
    ['ca', '--profile', '--allow', 'Chat.Example'],
    ['ca', 'remove'],
    ['env', '--json'],
  ]) {
    const ended = await agent.run(...args);
    assert.equal(ended.code, 1, args.join(' '));
    assert.equal(ended.stderr.trim(), 'This computer has no certificate. Enroll it first.');
  }
});
