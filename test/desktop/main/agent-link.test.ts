import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { readSettings } from '../../../apps/desktop/src/agent/settings/read-settings.ts';
import { openAgentLink } from '../../../apps/desktop/src/main/agent-link.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const CLI = path.resolve(import.meta.dirname, '../../../apps/desktop/src/agent/cli.ts');
const PAUSES = { firstMs: 20, longestMs: 40, pollMs: 20, idleMs: 20 };

/** Resolves when the link reports this problem. */
function openUntil(options: { enrollment?: string; nodePath?: string; problem: RegExp }) {
  const stateDir = path.join(tempFolder('link'), 'state');
  mkdirSync(stateDir);
  if (options.enrollment !== undefined)
    writeFileSync(path.join(stateDir, 'enrollment.json'), options.enrollment);
  const env = { HOME: stateDir, AGENT_STATE_DIR: stateDir, AGENT_VAULT: 'file', AGENT_SYSTEM_PROXY: 'off' };
  const found = Promise.withResolvers<string>();
  const link = openAgentLink(
    {
      agent: readSettings(env),
      nodePath: options.nodePath ?? process.execPath,
      agentScript: CLI,
      agentEnv: env,
    },
    (frame) => {
      if (!('event' in frame) || frame.event !== 'status') return;
      const { problem } = frame.status;
      if (problem !== null && options.problem.test(problem)) found.resolve(problem);
    },
    PAUSES,
  );
  after(() => link.end());
  return { link, found: found.promise };
}

test('a computer that is not enrolled starts no agent', async () => {
  const { link, found } = openUntil({ problem: /not enrolled/ });
  assert.equal(await found, 'This computer is not enrolled, so nothing is protected.');
  assert.equal(link.control(), null);
  assert.equal(link.status().running, false);
  await link.end();
});

test('an agent that cannot start is reported with its own message', async () => {
  const whole = JSON.stringify({
    server: 'http://127.0.0.1:1',
    deviceId: 'dev_1',
    organizationId: 'org_1',
    deviceName: 'Laptop',
    accountName: 'Acme',
    signingKey: 'x',
    enrolledAt: '2026-01-01T00:00:00Z',
  });
  const missing = openUntil({
    enrollment: whole,
    nodePath: '/nonexistent/node',
    problem: /could not be started/,
  });
  assert.match(await missing.found, /Reinstall the app\.$/);
  assert.equal(missing.link.status().enrolled, true);
});

test('no agent is started during a removal', async () => {
  const { link, found } = openUntil({ problem: /not enrolled/ });
  await found;
  const removal = Promise.withResolvers<string>();
  const pending = link.withoutAgent(() => removal.promise);
  link.retryNow();
  removal.resolve('done');
  assert.equal(await pending, 'done');
  await assert.rejects(
    link.withoutAgent(async () => {
      throw new Error('some files were not removed');
    }),
    /some files were not removed/,
  );
  await link.end();
});
