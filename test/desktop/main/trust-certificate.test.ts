import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings } from '../../../apps/desktop/src/agent/settings/read-settings.ts';
import type { AgentCommands, Said } from '../../../apps/desktop/src/main/agent-commands.ts';
import { trustCertificate } from '../../../apps/desktop/src/main/trust-certificate.ts';

const agent = readSettings({ HOME: '/home/kim', AGENT_STATE_DIR: '/state' });
const said = (code: number, stderr = ''): Said => ({ code, stdout: '', stderr });

/** What the system would answer; asking it opens a dialog. */
function answering(own: Said, elevated: Said) {
  const asked: string[] = [];
  const commands: AgentCommands = {
    run: async (...args) => {
      asked.push(args.join(' '));
      return own;
    },
    runElevated: async (env, ...args) => {
      asked.push(`${JSON.stringify(env)} ${args.join(' ')}`);
      return elevated;
    },
    json: () => Promise.reject(new Error('not asked here')),
  };
  return { asked, commands };
}

test('an administrator is asked only where the person may not', async () => {
  const enough = answering(said(0), said(1));
  await trustCertificate(enough.commands, { agent });
  assert.deepEqual(enough.asked, ['ca install']);
  const needed = answering(said(1, 'Run it as an administrator.'), said(0));
  await trustCertificate(needed.commands, { agent });
  assert.equal(needed.asked[1], '{"AGENT_STATE_DIR":"/state"} ca install --store system');
});

test('refused: why, in one sentence', async () => {
  const refused = answering(said(1, 'Run it as an administrator.'), said(126, 'Not authorized.\n'));
  await assert.rejects(
    trustCertificate(refused.commands, { agent }),
    /^Error: The certificate was not trusted: Not authorized\.$/,
  );
});
