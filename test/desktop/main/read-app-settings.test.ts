import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAppSettings } from '../../../apps/desktop/src/main/read-app-settings.ts';

const PLACE = { platform: 'linux', appDir: '/app', resourcesDir: '/resources' } as const;

test('packaged: the plain Node and the agent are next to the app', () => {
  const settings = readAppSettings({ ...PLACE, env: { HOME: '/home/kim' } });
  assert.equal(settings.nodePath, '/resources/node/node');
  assert.equal(settings.agentScript, '/resources/agent/src/agent/cli.js');
  assert.equal(settings.updateUrl, null);
  const windows = readAppSettings({ ...PLACE, platform: 'win32', env: { HOME: '/h' } });
  assert.match(windows.nodePath, /node\.exe$/);
});

test('the agent inherits no variables of Electron', () => {
  const env = { HOME: '/h', ELECTRON_RUN_AS_NODE: '1', CHROME_DESKTOP: 'x', AGENT_STATE_DIR: '/s' };
  const settings = readAppSettings({ ...PLACE, env });
  assert.deepEqual(settings.agentEnv, { HOME: '/h', AGENT_STATE_DIR: '/s' });
  assert.equal(settings.agent.stateDir, '/s');
});

test('an invalid setting and an unauthenticated feed are rejected', () => {
  assert.throws(() => readAppSettings({ ...PLACE, env: { AGENT_PROXY_PORT: 'x' } }), /AGENT_PROXY_PORT/);
  const url = (value: string) => readAppSettings({ ...PLACE, env: { CSG_UPDATE_URL: value } }).updateUrl;
  assert.equal(url('https://updates.example.com/'), 'https://updates.example.com/');
  assert.equal(url(''), null);
  for (const feed of ['updates', 'http://updates.example.com/', 'file:///tmp/', 'HTTP://localhost/']) {
    assert.throws(() => url(feed), /CSG_UPDATE_URL must be a URL that starts with https:\/\//, feed);
  }
});
