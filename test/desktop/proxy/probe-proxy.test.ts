import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { probeProxy } from '../../../apps/desktop/src/proxy/probe-proxy.ts';
import { newAuthority } from '../../support/desktop/certificates.ts';
import { PROBE_HOST, startTestStack } from '../../support/desktop/test-stack.ts';

test('a working proxy passes; each failure has its own message', async () => {
  const stand = await startTestStack();
  const stranger = await newAuthority([PROBE_HOST]);
  const options = {
    port: stand.proxy.port,
    probeHost: PROBE_HOST,
    rootPem: stand.device.root.pem,
    token: 'token-of-this-test',
    timeoutMs: 3_000,
  };
  assert.equal(await probeProxy(options), null);
  assert.match((await probeProxy({ ...options, rootPem: stranger.root.pem })) ?? '', /not trusted/);
  assert.match((await probeProxy({ ...options, token: 'x' })) ?? '', /Another program/);
  await stand.close();
  assert.match((await probeProxy(options)) ?? '', /cannot be reached/);
  const silent = createServer(() => {}).listen(stand.proxy.port, '127.0.0.1');
  await new Promise((resolve) => silent.once('listening', resolve));
  assert.match((await probeProxy({ ...options, timeoutMs: 150 })) ?? '', /did not respond/);
  silent.close();
});
