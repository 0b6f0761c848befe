import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { test } from 'node:test';
import { createSecureContext, createServer } from 'node:tls';
import { createDialer } from '../../../apps/desktop/src/upstream/dial.ts';
import { startCompanyProxy } from '../../support/company-proxy.ts';
import { newAuthority } from '../../support/desktop/certificates.ts';
import { curl, noCurl } from '../../support/desktop/curl.ts';
import { startTestStack } from '../../support/desktop/test-stack.ts';
import { startTestProvider } from '../../support/test-provider.ts';
import { HANG_LIMIT_MS } from '../../support/until.ts';

test('a company proxy gets its password, for tunnels and inspected hosts of both HTTP versions', {
  skip: noCurl,
}, async () => {
  let providerPort = 0;
  const company = await startCompanyProxy({ leadTo: () => providerPort, credentials: 'kim:p%40ss' });
  const stand = await startTestStack({
    config: { upstreamProxy: company.url.replace('p%40ss', 'p%2540ss') },
  });
  providerPort = stand.testProvider.port;
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

test('names a company proxy that rejects or is not there', { skip: noCurl }, async () => {
  const company = await startCompanyProxy({ leadTo: () => null, credentials: 'a:b' });
  const stand = await startTestStack({ config: { upstreamProxy: company.url.replace('a:b', 'a:wrong') } });
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

test('reports a proxy without Basic, with the schemes it offers', async () => {
  for (const [offers, sentence] of [
    [['Negotiate', 'NTLM'], /supports only Negotiate and NTLM, but the agent can only use Basic/],
    [['NTLM', 'Basic realm="x"'], /requires a user name and a password/],
    [[], /requires a user name and a password/],
  ] as const) {
    const lines = offers.map((offer) => `Proxy-Authenticate: ${offer}\r\n`).join('');
    const proxy = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.end(`HTTP/1.1 407 Proxy Authentication Required\r\n${lines}Content-Length: 0\r\n\r\n`);
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const { port } = proxy.address() as AddressInfo;
    const dialer = createDialer({
      upstreamProxy: new URL(`http://127.0.0.1:${port}`),
      upstreamPac: null,
      isDirect: () => false,
      loopToken: 't',
      secureContext: createSecureContext(),
      connectTimeoutMs: HANG_LIMIT_MS,
      ownPort: () => 0,
    });
    await assert.rejects(dialer.dial('api.openai.com', 443), sentence);
    proxy.close();
  }
});

test('hosts without a company proxy are reached directly', { skip: noCurl }, async () => {
  const stand = await startTestStack();
  const url = `https://localhost:${stand.testProvider.port}/straight`;
  for (const version of ['--http1.1', '--http2']) {
    assert.equal(
      (await curl(stand.proxy.port, stand.device.root.pem, [version, url])).stdout,
      '{"hello":"/straight"}',
    );
  }
  assert.equal(stand.company.asked.length, 0);
  await stand.close();
});

test('plain HTTP through a company proxy has an absolute URL and the password', {
  skip: noCurl,
}, async () => {
  const testProvider = await startTestProvider();
  const company = await startCompanyProxy({
    leadTo: () => Number(new URL(testProvider.url).port),
    credentials: 'kim:secret',
  });
  const stand = await startTestStack({ config: { upstreamProxy: company.url } });
  const answer = await curl(stand.proxy.port, stand.device.root.pem, [
    '-H',
    'X-Odd: 1',
    'http://plain.example/v1/models?a=1',
  ]);
  assert.equal(company.asked.at(-1), 'GET http://plain.example/v1/models?a=1');
  assert.equal(testProvider.lastRequest().url, '/v1/models?a=1');
  assert.equal(testProvider.lastRequest().headers['x-odd'], '1');
  assert.equal(answer.status, 401, "the provider's own response");
  for (const close of [stand, company, testProvider]) await close.close();
});

test('a company proxy can be behind TLS', { skip: noCurl }, async () => {
  let providerPort = 0;
  const company = await startCompanyProxy({ leadTo: () => providerPort });
  const authority = await newAuthority(['localhost']);
  const leaf = await authority.issuer.leafFor('localhost', Date.now());
  const shell = createServer({ cert: leaf.chain, key: leaf.key }, (socket) => {
    const inner = connect(company.port, '127.0.0.1');
    socket.on('error', () => inner.destroy());
    inner.on('error', () => socket.destroy());
    socket.pipe(inner).pipe(socket);
  }).listen(0, 'localhost');
  await once(shell, 'listening');
  const { port } = shell.address() as { port: number };
  const inner = await startTestStack();
  providerPort = inner.testProvider.port;
  const url = `https://localhost:${port}`;
  const stand = await startTestStack({
    config: { upstreamProxy: url, upstreamCa: [authority.root.pem, inner.providerRoot] },
  });
  const ca = stand.device.root.pem;
  for (const version of ['--http1.1', '--http2']) {
    assert.equal(
      (await curl(stand.proxy.port, ca, [version, 'https://api.openai.com/'])).status,
      200,
      version,
    );
  }
  assert.equal((await curl(stand.proxy.port, ca, ['-k', 'https://bank.example/'])).status, 200);
  shell.close();
  for (const close of [stand, inner, company]) await close.close();
});
