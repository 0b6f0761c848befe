import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  networkGuardOf,
  systemProxyName,
  trustStoresOf,
} from '../../../apps/desktop/src/agent/machine-parts.ts';
import { macosNetworksetup, missingCommands } from '../../support/desktop/recorded-commands.ts';

test('each system has its stores and its setting', async () => {
  const names = (platform: NodeJS.Platform) =>
    trustStoresOf({ platform, home: '/nonexistent', run: missingCommands().run }).map(({ name }) => name);
  assert.deepEqual(names('linux'), ['system', 'nss', 'firefox', 'java']);
  assert.deepEqual(names('darwin'), ['system', 'firefox', 'java']);
  assert.deepEqual(names('win32'), ['system', 'firefox', 'java']);
  assert.deepEqual(
    ['linux', 'darwin', 'win32'].map((one) => systemProxyName(one as NodeJS.Platform)),
    ['gsettings', 'networksetup', 'wininet'],
  );
  const mac = macosNetworksetup();
  const guard = networkGuardOf({ platform: 'darwin', home: '/', run: mac.run }, '/nonexistent/restore.json');
  assert.equal(await guard.isProtected(), false);
  assert.ok(mac.calls.every((call) => call.startsWith('/usr/sbin/networksetup')));
});
