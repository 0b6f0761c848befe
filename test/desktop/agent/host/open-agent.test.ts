import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAgentParts } from '../../../../apps/desktop/src/agent/host/open-agent.ts';
import { readSettings } from '../../../../apps/desktop/src/agent/settings/read-settings.ts';
import { stateFiles } from '../../../../apps/desktop/src/agent/settings/state-files.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const ENROLLMENT = {
  server: 'https://gateway.example',
  deviceId: 'dev_1',
  organizationId: 'org_1',
  deviceName: 'a computer',
  accountName: 'an account',
  signingKey: 'key',
  enrolledAt: '2026-11-23T00:00:00.000Z',
};

test("every command uses the company's proxy of the enrollment, unless the environment names another", async () => {
  const folder = tempFolder('open-agent');
  const env = { HOME: folder, AGENT_STATE_DIR: folder, AGENT_VAULT: 'file' };
  const open = (more: Readonly<Record<string, string>> = {}) =>
    openAgentParts(readSettings({ ...env, ...more }), env);
  const proxy = 'http://proxy.example:3128';
  stateFiles(folder).saveEnrollment(ENROLLMENT);
  const without = await open();
  assert.equal(without.settings.upstreamProxy, null);
  assert.equal(await without.serviceProxy('https://gateway.example'), null);
  stateFiles(folder).saveEnrollment({ ...ENROLLMENT, upstreamProxy: proxy });
  const managed = await open();
  assert.equal(managed.settings.upstreamProxy, proxy);
  assert.equal(await managed.serviceProxy('https://gateway.example'), proxy);
  assert.equal(await managed.serviceProxy('http://127.0.0.1:8787'), null);
  const own = await open({ AGENT_UPSTREAM_PROXY: 'http://other.example:80' });
  assert.equal(await own.serviceProxy('https://gateway.example'), 'http://other.example:80');
});
