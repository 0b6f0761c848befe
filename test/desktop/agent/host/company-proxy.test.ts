import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, test } from 'node:test';
import {
  type CompanyProxySettings,
  readCompanyProxy,
  watchCompanyProxy,
} from '../../../../apps/desktop/src/agent/host/company-proxy.ts';
import { findServiceProxy } from '../../../../apps/desktop/src/agent/host/find-fallback-proxy.ts';
import { networkGuardOf } from '../../../../apps/desktop/src/agent/host/host-system.ts';
import {
  linuxGsettings,
  macosNetworksetup,
  type Recorded,
  windowsRegistry,
} from '../../../support/desktop/recorded-commands.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const OURS = 'http://127.0.0.1:1/proxy.pac#content-security-agent';
const NONE = { upstreamPac: null, upstreamProxy: null };
const body = 'function FindProxyForURL() { return "PROXY file.example:3128"; }';
const files = createServer((_request, response) => response.end(body)).listen(0, '127.0.0.1');
await once(files, 'listening');
const pac = `http://127.0.0.1:${(files.address() as AddressInfo).port}/company.pac`;
after(() => files.close());

function computer(platform: NodeJS.Platform, { run }: Recorded, env: Record<string, string> | null = null) {
  const network = networkGuardOf(
    { platform, home: '/', run },
    path.join(tempFolder('company'), 'restore.json'),
  );
  const read = (wpad = 'http://127.0.0.1:1/wpad.dat') =>
    readCompanyProxy({ network, env, ownPort: () => 4711, wpad });
  return {
    network,
    read,
    /** Returns the route to a host on the internet. */
    way: async (host = 'gateway.example', wpad?: string) =>
      findServiceProxy(() => read(wpad), `https://${host}`),
  };
}

test('GNOME: manual with user and password, a file, discovery; also read while our own setting is active', async () => {
  const gnome = linuxGsettings();
  const { network, read, way } = computer('linux', gnome);
  assert.deepEqual(await read(), NONE);
  gnome.held
    .set('mode', "'manual'")
    .set('ignore-hosts', "['localhost', '*.corp.example']")
    .set('https host', "'proxy.example'")
    .set('https port', '8080')
    .set('http host', "'proxy.example'")
    .set('http port', '8080')
    .set('http use-authentication', 'true')
    .set('http authentication-user', "'k@m'")
    .set('http authentication-password', "'a:b'");
  assert.equal(await way(), 'http://k%40m:a%3Ab@proxy.example:8080/');
  assert.equal(await way('a.corp.example'), null);
  assert.deepEqual(await network.protect(OURS), { kind: 'ok', value: null });
  assert.equal(await way(), 'http://k%40m:a%3Ab@proxy.example:8080/', 'while our own setting is active');
  await network.release();
  assert.equal(gnome.held.get('mode'), "'manual'");

  gnome.held.set('mode', "'auto'").set('autoconfig-url', `'${pac}'`);
  assert.equal(await way(), 'http://file.example:3128/');
  gnome.held.set('autoconfig-url', "'http://127.0.0.1:1/away.pac'");
  assert.equal(await way(), null, 'apps go direct if there is no file');
  gnome.held.set('autoconfig-url', "''");
  assert.deepEqual(await read(), NONE, 'discovery finds nothing');
  assert.equal(await way('gateway.example', pac), 'http://file.example:3128/');
  gnome.held.set('mode', "'manual'").set('https host', "''").set('socks host', "'socks.example'");
  assert.deepEqual(await read(), NONE, 'SOCKS is reported elsewhere');
});

test('macOS: the first service with a setting is used', async () => {
  const mac = macosNetworksetup();
  mac.held.set('Thunderbolt Bridge|url', pac);
  const { network, way } = computer('darwin', mac);
  assert.equal(await way(), 'http://file.example:3128/');
  await network.protect(OURS);
  assert.equal(await way(), 'http://file.example:3128/', 'while our own setting is active');
  mac.held
    .set('Wi-Fi|-getsecurewebproxy', 'proxy.example')
    .set('Wi-Fi|-getproxybypassdomains', '*.local\n169.254/16\n');
  assert.equal(await way(), 'http://proxy.example:8080/');
  assert.equal(await way('printer.local'), null);
});

test('Windows: manual for all schemes or for each, a file, discovery', async () => {
  const windows = windowsRegistry();
  const { network, way } = computer('win32', windows);
  assert.equal(await way(), null);
  windows.held.set('DefaultConnectionSettings', `46000000${'05000000'}09000000${'0'.repeat(32)}`);
  assert.equal(await way('gateway.example', pac), 'http://file.example:3128/');
  windows.held
    .set('ProxyEnable', '0x1')
    .set('ProxyServer', 'http=web.example:80;https=secure.example:8443')
    .set('ProxyOverride', '*.corp.example;<local>');
  assert.equal(await way(), 'http://secure.example:8443/');
  assert.equal(await way('a.corp.example'), null);
  windows.held.set('ProxyServer', 'proxy.example:8080');
  assert.equal(await way(), 'http://proxy.example:8080/');
  await network.protect(OURS);
  assert.equal(await way(), 'http://proxy.example:8080/', 'while our own setting is active');
  await network.release();
  windows.held.set('AutoConfigURL', pac);
  assert.equal(await way(), 'http://file.example:3128/');
});

test('Linux: the environment, if the desktop names none; never our own proxy', async () => {
  const gnome = linuxGsettings();
  const env = { https_proxy: 'http://kim:secret@proxy.example:3128', NO_PROXY: 'corp.example, 10.0.0.0/8' };
  const { way } = computer('linux', gnome, env);
  assert.equal(await way(), 'http://kim:secret@proxy.example:3128/');
  assert.equal(await way('a.corp.example'), null);
  assert.equal(await way('10.1.1.1'), null);
  const own = computer('linux', gnome, { HTTPS_PROXY: 'http://127.0.0.1:4711' });
  assert.deepEqual(await own.read(), NONE, 'as set by "agent env"');
});

test('another network is used immediately; other changes must be seen twice', async () => {
  const at = (proxy: string | null): CompanyProxySettings => ({ upstreamPac: proxy, upstreamProxy: null });
  let now = at(null);
  let network = 'office';
  const watch = watchCompanyProxy(
    async () => now,
    at(null),
    () => network,
  );
  const looks = async (count: number) => {
    const seen: (CompanyProxySettings | null)[] = [];
    for (let look = 0; look < count; look++) seen.push(await watch.changed());
    return seen;
  };
  now = at('one');
  assert.deepEqual(await looks(7), [null, null, null, null, null, null, at('one')]);
  now = at(null);
  network = 'home';
  assert.deepEqual(await looks(1), [at(null)]);
  now = at('away');
  await looks(5);
  now = at(null);
  assert.deepEqual(
    (await looks(14)).filter((seen) => seen !== null),
    [],
    'a file that failed once',
  );
});
