import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startCompanyProxy } from '../../support/desktop/company-proxy.ts';
import { curl } from '../../support/desktop/curl.ts';
import { openStand } from '../../support/desktop/stand.ts';

test('a company proxy that wants a password gets it, for tunnels and opened hosts of both versions', async () => {
  let vendorPort = 0;
  const company = await startCompanyProxy({ leadTo: () => vendorPort, credentials: 'kim:p%40ss' });
  const stand = await openStand({ config: { upstreamProxy: company.url.replace('p%40ss', 'p%2540ss') } });
  vendorPort = stand.vendor.port;
  const ca = stand.device.root.pem;
  for (const version of ['--http1.1', '--http2']) {
    assert.equal(
      (await curl(stand.proxy.port, ca, [version, 'https://api.openai.com/'])).status,
      200,
      version,
    );
    assert.equal(
      (await curl(stand.proxy.port, ca, [version, '-k', 'https://bank.example/'])).status,
      200,
      version,
    );
  }
  await stand.close();
  await company.close();
});

test('a company proxy that refuses, or is not there, is named', async () => {
  const company = await startCompanyProxy({ leadTo: () => null, credentials: 'a:b' });
  const stand = await openStand({ config: { upstreamProxy: company.url.replace('a:b', 'a:wrong') } });
  const ca = stand.device.root.pem;
  const refused = await curl(stand.proxy.port, ca, ['https://api.openai.com/']);
  assert.equal(refused.status, 502);
  assert.match(refused.stdout, /PROXY_407/);
  assert.equal((await curl(stand.proxy.port, ca, ['https://bank.example/'])).code, 56);
  await company.close();
  const gone = await curl(stand.proxy.port, ca, ['https://api.openai.com/']);
  assert.match(gone.stdout, /ECONNREFUSED/);
  await stand.close();
});

test('hosts that need no company proxy are reached straight', async () => {
  const stand = await openStand();
  const url = `https://localhost:${stand.vendor.port}/straight`;
  for (const version of ['--http1.1', '--http2']) {
    assert.equal(
      (await curl(stand.proxy.port, stand.device.root.pem, [version, url])).stdout,
      '{"hello":"/straight"}',
    );
  }
  assert.equal(stand.company.asked.length, 0);
  await stand.close();
});
