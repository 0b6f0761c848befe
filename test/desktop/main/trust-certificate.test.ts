import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings } from '../../../apps/desktop/src/agent/settings/read-settings.ts';
import type { AgentCommands, CommandResult } from '../../../apps/desktop/src/main/agent-commands.ts';
import { trustCertificate } from '../../../apps/desktop/src/main/trust-certificate.ts';

const agent = readSettings({ HOME: '/home/kim', AGENT_STATE_DIR: '/state' });
const result = (code: number, stderr = ''): CommandResult => ({ code, stdout: '', stderr });

/** Stands in for the system, which would open a dialog. */
function fakeCommands(own: CommandResult, elevated: CommandResult) {
  const calls: string[] = [];
  const commands: AgentCommands = {
    run: async (...args) => {
      calls.push(args.join(' '));
      return own;
    },
    runElevated: async (env, ...args) => {
      calls.push(`${JSON.stringify(env)} ${args.join(' ')}`);
      return elevated;
    },
    json: () => Promise.reject(new Error('not used here')),
  };
  return { asked: calls, commands };
}

test('administrator rights are requested only if the user’s are not sufficient', async () => {
  const enough = fakeCommands(result(0), result(1));
  await trustCertificate(enough.commands, { agent });
  assert.deepEqual(enough.asked, ['ca install']);
  const needed = fakeCommands(result(1, 'Run it as an administrator.'), result(0));
  await trustCertificate(needed.commands, { agent });
  assert.equal(needed.asked[1], '{"AGENT_STATE_DIR":"/state"} ca install --store system');
});

test('a denial is reported with its reason', async () => {
  const refused = fakeCommands(result(1, 'Run it as an administrator.'), result(126, 'Not authorized.\n'));
  await assert.rejects(
    trustCertificate(refused.commands, { agent }),
    /^Error: The certificate was not trusted: Not authorized\.$/,
  );
});
