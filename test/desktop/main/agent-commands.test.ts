import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { readSettings } from '../../../apps/desktop/src/agent/settings/read-settings.ts';
import { createAgentCommands, lastLine } from '../../../apps/desktop/src/main/agent-commands.ts';

const WHERE = {
  agent: readSettings({ HOME: '/nonexistent' }, 'linux'),
  nodePath: process.execPath,
  agentScript: path.resolve(import.meta.dirname, '../../../apps/desktop/src/agent/cli.ts'),
  agentEnv: { HOME: '/nonexistent', AGENT_STATE_DIR: '/nonexistent/state', AGENT_VAULT: 'file' },
};

test('a command returns its output, or its last line as the error', async () => {
  const commands = createAgentCommands(WHERE);
  const status = await commands.json<{ enrolled: boolean }>('status');
  assert.equal(status.enrolled, false);
  await assert.rejects(
    commands.json('enroll', '--server', 'ftp://x', '--token', 't'),
    /^Error: "ftp:\/\/x" is not the URL of a service/,
  );
  const { code, stderr } = await commands.run('run');
  assert.equal(code, 1);
  assert.match(lastLine(stderr), /^This computer is not enrolled/);
});

test('a missing program is reported in one sentence', async () => {
  const commands = createAgentCommands({ ...WHERE, nodePath: '/nonexistent/node' });
  await assert.rejects(
    commands.json('status'),
    /^Error: The agent could not be started \(.*ENOENT\)\. Reinstall the app\.$/,
  );
});

test('unavailable administrator rights are reported in one sentence', async () => {
  const commands = createAgentCommands({ ...WHERE, agentEnv: { PATH: '/nonexistent' } });
  await assert.rejects(
    commands.runElevated({}, 'ca', 'install'),
    /^Error: Administrator rights could not be requested \(spawn pkexec ENOENT\)\.$/,
  );
});
