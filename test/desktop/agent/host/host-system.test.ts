import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  existingProxy,
  networkGuardOf,
  systemProxyName,
  trustStoresOf,
} from '../../../../apps/desktop/src/agent/host/host-system.ts';
import {
  linuxGsettings,
  macosNetworksetup,
  missingCommands,
  windowsRegistry,
} from '../../../support/desktop/recorded-commands.ts';

test('each system has its trust stores and its proxy setting', async () => {
  const names = (platform: NodeJS.Platform) =>
    trustStoresOf({ platform, home: '/nonexistent', run: missingCommands().run }).map(({ name }) => name);
  assert.deepEqual(names('linux'), ['system', 'nss', 'firefox', 'java']);
  assert.deepEqual(names('darwin'), ['system', 'java']);
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

test('finds a company’s proxy setting, and does not mistake ours for one', async () => {
  const mac = macosNetworksetup();
  const found = await existingProxy({ platform: 'darwin', home: '/', run: mac.run });
  assert.match(found ?? '', /a proxy setting of its own, which was not changed/);
  const gnome = linuxGsettings();
  const ask = () => existingProxy({ platform: 'linux', home: '/', run: gnome.run });
  assert.equal(await ask(), null);
  gnome.held
    .set('mode', "'auto'")
    .set('autoconfig-url', "'http://127.0.0.1:1/proxy.pac#content-security-agent'");
  assert.equal(await ask(), null);
  gnome.held.set('mode', "'manual'");
  assert.notEqual(await ask(), null);
});

test('finds a company’s manual proxy on every system, and ignores discovery', async () => {
  const mac = macosNetworksetup();
  mac.held.set('Thunderbolt Bridge|on', 'off');
  const onMac = () => existingProxy({ platform: 'darwin', home: '/', run: mac.run });
  assert.equal(await onMac(), null);
  for (const verb of ['-getwebproxy', '-getsecurewebproxy']) {
    mac.held.set(`Wi-Fi|${verb}`, 'proxy.corp.example');
    assert.match((await onMac()) ?? '', /a proxy setting of its own, which was not changed/, verb);
    mac.held.delete(`Wi-Fi|${verb}`);
  }
  mac.held.set('Wi-Fi|-getproxyautodiscovery', 'On');
  assert.equal(await onMac(), null, 'read before by company-proxy');
  mac.held.set('Wi-Fi|-getsocksfirewallproxy', 'proxy.corp.example');
  assert.match((await onMac()) ?? '', /a SOCKS proxy, which the agent does not support/);

  const windows = windowsRegistry();
  const onWindows = () => existingProxy({ platform: 'win32', home: 'C:/', run: windows.run });
  windows.held.set('ProxyServer', 'proxy.corp.example:8080');
  assert.equal(await onWindows(), null, 'written, but not enabled');
  windows.held.set('ProxyEnable', '0x0');
  assert.equal(await onWindows(), null);
  windows.held.set('ProxyEnable', '0x1');
  assert.match((await onWindows()) ?? '', /a proxy setting of its own, which was not changed/);
  windows.held.set('AutoConfigURL', 'http://127.0.0.1:1/proxy.pac#content-security-agent');
  assert.equal(await onWindows(), null, 'ours');
});
