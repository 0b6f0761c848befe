import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { AgentError, readSettings } from '../../../../apps/desktop/src/agent/settings/read-settings.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const HOME = { HOME: '/home/kim' };

test('defaults: any port, the keychain, changing the computer’s proxy setting, the system’s usual folder', () => {
  const settings = readSettings(HOME, 'linux');
  assert.equal(settings.stateDir, '/home/kim/.local/state/content-security-agent');
  assert.equal(settings.proxyPort, 0);
  assert.equal(settings.vault, 'auto');
  assert.equal(settings.changesSystemProxy, true);
  assert.deepEqual([settings.extraHosts, settings.upstreamCa, settings.upstreamProxy], [[], [], null]);
  assert.match(readSettings(HOME, 'darwin').stateDir, /Application Support/);
});

test('reads settings from the environment', () => {
  const ca = path.join(tempFolder('settings'), 'ca.pem');
  writeFileSync(ca, 'PEM');
  const settings = readSettings(
    {
      ...HOME,
      AGENT_STATE_DIR: '/tmp/x',
      AGENT_PROXY_PORT: '8899',
      AGENT_SYSTEM_PROXY: 'off',
      AGENT_EXTRA_HOSTS: 'localhost, API.Example.com:8443  *.ai.example [::1]',
      AGENT_UPSTREAM_CA: ca,
      AGENT_VAULT: 'file',
    },
    'linux',
  );
  assert.equal(settings.stateDir, path.resolve('/tmp/x'));
  assert.equal(settings.proxyPort, 8899);
  assert.equal(settings.changesSystemProxy, false);
  assert.deepEqual(settings.extraHosts, ['localhost', 'api.example.com', '*.ai.example', '::1']);
  assert.deepEqual(settings.upstreamCa, ['PEM']);
  assert.equal(settings.vault, 'file');
});

test('rejects an invalid value in one sentence that names the setting', () => {
  for (const [name, value] of [
    ['AGENT_PROXY_PORT', '70000'],
    ['AGENT_PROXY_PORT', 'eighty'],
    ['AGENT_SYSTEM_PROXY', 'maybe'],
    ['AGENT_EXTRA_HOSTS', 'https://x/y'],
    ['AGENT_UPSTREAM_CA', '/nonexistent/ca.pem'],
    ['AGENT_UPSTREAM_PROXY', 'proxy:3128'],
    ['AGENT_UPSTREAM_PAC', '/nowhere/company.pac'],
    ['AGENT_VAULT', 'paper'],
  ] as const) {
    assert.throws(
      () => readSettings({ ...HOME, [name]: value }, 'linux'),
      (error) =>
        error instanceof AgentError && error.message.startsWith(name) && !error.message.includes('\n'),
      `${name}=${value}`,
    );
  }
});
