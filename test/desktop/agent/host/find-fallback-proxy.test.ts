import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import {
  findFallbackProxy,
  findServiceProxy,
} from '../../../../apps/desktop/src/agent/host/find-fallback-proxy.ts';
import { linuxGsettings } from '../../../support/desktop/recorded-commands.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const gnome = linuxGsettings();
const machine = { platform: 'linux' as const, home: '/', run: gnome.run };
const file = path.join(tempFolder('way'), 'company.pac');
const NOTHING = { upstreamPac: null, upstreamProxy: null };

test('direct, or the configured proxy or file; an unknown setting of the computer is left alone', async () => {
  assert.deepEqual(await findFallbackProxy(NOTHING, machine), { kind: 'found', otherwise: 'DIRECT' });
  gnome.held.set('mode', "'manual'");
  const left = await findFallbackProxy(NOTHING, machine);
  assert.match(left.kind === 'unknown' ? left.reason : '', /not changed\. Set it as AGENT_UPSTREAM_PROXY or/);
  const proxy = { upstreamPac: null, upstreamProxy: 'https://kim:secret@proxy.example:3128' };
  assert.deepEqual(await findFallbackProxy(proxy, machine), {
    kind: 'found',
    otherwise: 'HTTPS proxy.example:3128',
  });
  const text = 'function FindProxyForURL() { return "PROXY one.example:1"; }';
  writeFileSync(file, text);
  const pac = { upstreamPac: file, upstreamProxy: null };
  assert.deepEqual(await findFallbackProxy(pac, machine), {
    kind: 'found',
    otherwise: { upstreamPac: text },
  });
});

test('a company’s file that does not work is not used', async () => {
  for (const text of [
    'half of a (',
    'function FindProxyForURL() { return 5; }',
    'function FindProxyForURL() { for (;;) {} }',
  ]) {
    writeFileSync(file, text);
    const found = await findFallbackProxy({ upstreamPac: file, upstreamProxy: null }, machine);
    assert.match(
      found.kind === 'unknown' ? found.reason : '',
      /cannot be used, so the proxy setting was not changed/,
      text,
    );
  }
});

test('the service is reached by the company’s setting, and directly on loopback', async () => {
  const upstreamProxy = 'http://kim:secret@proxy.example:3128/';
  const fixed = { upstreamPac: null, upstreamProxy };
  assert.equal(await findServiceProxy(async () => NOTHING, 'https://gateway.example'), null);
  assert.equal(await findServiceProxy(async () => fixed, 'https://gateway.example'), upstreamProxy);
  for (const here of ['http://127.0.0.1:8787', 'http://localhost:8787', 'http://[::1]:8787']) {
    assert.equal(await findServiceProxy(async () => fixed, here), null, here);
  }
  writeFileSync(
    file,
    `function FindProxyForURL(url, host) {
      return host === 'inside.example' ? 'DIRECT' : 'PROXY proxy.example:3128; DIRECT';
    }`,
  );
  const pac = { upstreamPac: file, upstreamProxy };
  assert.equal(await findServiceProxy(async () => pac, 'https://inside.example'), null);
  assert.equal(await findServiceProxy(async () => pac, 'https://gateway.example'), upstreamProxy);
});
