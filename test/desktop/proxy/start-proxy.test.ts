import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { startProxy } from '../../../apps/desktop/src/proxy/start-proxy.ts';
import { startCompanyProxy } from '../../support/company-proxy.ts';
import { openHttp2, openTls, openTunnel } from '../../support/desktop/clients.ts';
import { curl, noCurl } from '../../support/desktop/curl.ts';
import {
  PROBE_HOST,
  startTestStack,
  type TestStack,
  testConfig,
  testPolicy,
} from '../../support/desktop/test-stack.ts';
import { until } from '../../support/until.ts';

let stand: TestStack;
before(async () => {
  stand = await startTestStack({ config: { pac: '// content-security-agent' } });
});
after(() => stand.close());

const ca = () => stand.device.root.pem;

test('the provider gets the HTTP version that the client chose', { skip: noCurl }, async () => {
  const two = await curl(stand.proxy.port, ca(), ['https://api.openai.com/v1/models?a=1']);
  assert.deepEqual(
    [two.code, two.status, two.version, two.stdout],
    [0, 200, '2', '{"hello":"/v1/models?a=1"}'],
  );
  assert.equal(stand.testProvider.requests.at(-1)?.httpVersion, '2.0');
  const one = await curl(stand.proxy.port, ca(), ['--http1.1', 'https://api.openai.com/v1/models']);
  assert.deepEqual([one.code, one.status, one.version], [0, 200, '1.1']);
  assert.equal(stand.testProvider.requests.at(-1)?.httpVersion, '1.1');
});

test('other hosts are tunnelled unchanged: the client sees their own certificate', {
  skip: noCurl,
}, async () => {
  const refused = await curl(stand.proxy.port, ca(), ['https://bank.example/']);
  assert.equal(refused.code, 60, 'our certificate must not be there');
  const passed = await curl(stand.proxy.port, ca(), ['-k', 'https://bank.example/secret']);
  assert.equal(passed.stdout, '{"hello":"/secret"}');
});

test('a host reached by IP address is inspected by the name in the handshake', { skip: noCurl }, async () => {
  const answer = await curl(stand.proxy.port, ca(), [
    '--connect-to',
    'api.openai.com:443:93.184.216.34:443',
    'https://api.openai.com/by-address',
  ]);
  assert.deepEqual([answer.code, answer.stdout], [0, '{"hello":"/by-address"}']);
});

test('plain HTTP through CONNECT is tunnelled unchanged', { skip: noCurl }, async () => {
  const server = createHttpServer((request, response) =>
    response.end(`${request.headers.host}${request.url} ${request.headers['x-note']}`),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const company = await startCompanyProxy({ leadTo: () => port });
  const own = await startTestStack({ config: { upstreamProxy: company.url } });
  for (const authority of ['plain.example:80', 'plain.example:443', '93.184.216.34:8080']) {
    const answer = await curl(own.proxy.port, ca(), [
      ...['--proxytunnel', '-H', 'X-Note: own'],
      `http://${authority}/a`,
    ]);
    assert.equal(answer.stdout, `${authority.replace(/:80$/, '')}/a own`, authority);
    assert.deepEqual(company.asked.splice(0), [`CONNECT ${authority}`]);
  }
  await own.close();
  await company.close();
  server.close();
});

test('tunnels to IPv6 addresses, and rejects invalid ones', { skip: noCurl }, async () => {
  const status = async (authority: string) => {
    try {
      (await openTunnel(stand.proxy.port, authority)).destroy();
      return 200;
    } catch (error) {
      return Number((error as Error).message.split(' ')[1]);
    }
  };
  assert.equal(await status('[::1]:8443'), 200);
  assert.ok(stand.company.asked.includes('CONNECT [::1]:8443'));
  assert.equal(await status('nonsense'), 400);
  assert.equal(await status('host:99999'), 400);
});

test('a loop back to the proxy is rejected, direct and indirect', { skip: noCurl }, async () => {
  const { port } = stand.proxy;
  const straight = await curl(port, ca(), [`http://127.0.0.1:${port}/`]);
  assert.equal(straight.status, 508);
  const around = await curl(port, ca(), [
    '-H',
    'X-Content-Security-Agent: token-of-this-test',
    'http://plain.example/',
  ]);
  assert.equal(around.status, 508);
  await assert.rejects(openTunnel(port, `127.0.0.1:${port}`), /508/);
});

test('a page that calls the port gets the PAC file and nothing else', { skip: noCurl }, async () => {
  const base = `http://127.0.0.1:${stand.proxy.port}`;
  const pac = await fetch(`${base}/proxy.pac`);
  assert.equal(pac.headers.get('content-type'), 'application/x-ns-proxy-autoconfig');
  assert.equal(await pac.text(), '// content-security-agent');
  assert.equal((await fetch(`${base}/`)).status, 404);
  assert.equal((await fetch(`${base}/api`, { method: 'POST', body: 'x' })).status, 404);
});

test('the probe goes through tunnel, handshake and request', { skip: noCurl }, async () => {
  const probe = await curl(stand.proxy.port, ca(), [`https://${PROBE_HOST}/`]);
  assert.deepEqual([probe.code, probe.stdout], [0, 'token-of-this-test']);
});

test('a request for another host than its connection’s gets a 421', { skip: noCurl }, async () => {
  const answer = await curl(stand.proxy.port, ca(), [
    '--http1.1',
    '-H',
    'Host: evil.example',
    'https://api.openai.com/',
  ]);
  assert.equal(answer.status, 421);
});

test('every spelling of its own address is detected as a loop', { skip: noCurl }, async () => {
  const own = await startTestStack({ config: { upstreamProxy: null } });
  const { port } = own.proxy;
  for (const name of ['127.1', '2130706433', '0x7f000001', '0.0.0.0', '[::ffff:127.0.0.1]', 'localhost']) {
    await assert.rejects(openTunnel(port, `${name}:${port}`), /508/, name);
  }
  await own.close();
});

test('a new policy applies from the next connection on', { skip: noCurl }, async () => {
  stand.configure({ policy: testPolicy({ bypassHosts: ['api.anthropic.com'] }) });
  assert.equal((await curl(stand.proxy.port, ca(), ['https://api.anthropic.com/'])).code, 60);
  stand.configure({ policy: testPolicy() });
  assert.equal((await curl(stand.proxy.port, ca(), ['https://api.anthropic.com/'])).code, 0);
});

test('without a certificate a host is tunnelled, or closed if the policy says so', {
  skip: noCurl,
}, async () => {
  const closed = await startTestStack({ leaf: (host) => host === PROBE_HOST });
  const root = closed.device.root.pem;
  assert.equal(
    (await curl(closed.proxy.port, root, ['-k', 'https://api.openai.com/x'])).stdout,
    '{"hello":"/x"}',
  );
  closed.configure({ policy: testPolicy({ failClosed: true }) });
  assert.notEqual((await curl(closed.proxy.port, root, ['-k', 'https://api.openai.com/x'])).code, 0);
  await closed.close();
});

const PINNED = 'https://chatgpt.com/pinned';

test('a client that rejects our certificate twice is tunnelled and reported, unless the host must be closed', {
  skip: noCurl,
}, async () => {
  const clock = { ms: Date.now() };
  const own = await startTestStack({ now: () => clock.ms });
  const pinned = () =>
    curl(own.proxy.port, own.company.url, [
      '--cacert',
      '/etc/ssl/certs/ca-certificates.crt',
      'https://chatgpt.com/pinned',
    ]);
  const codes = [(await pinned()).code, (await pinned()).code];
  assert.deepEqual(codes, [60, 60]);
  assert.equal(own.events.length, 0, 'nothing has passed uninspected');
  const third = await curl(own.proxy.port, own.device.root.pem, ['-k', PINNED]);
  assert.equal(third.stdout, '{"hello":"/pinned"}');
  const facts = own.events.map(({ host, reason, decision, done }) => [host, reason, decision, done]);
  assert.deepEqual(facts, [['chatgpt.com', 'pinned', 'allow', 'forwarded']]);
  assert.match(
    own.events[0]?.note ?? '',
    /curl does not accept the certificate of the agent, so its traffic/,
  );
  // Tunnelled: a client that trusts only us now sees the provider's own certificate.
  assert.equal((await curl(own.proxy.port, own.device.root.pem, ['https://chatgpt.com/'])).code, 60);
  own.configure({ policy: testPolicy({ failClosed: true }) });
  assert.equal((await curl(own.proxy.port, own.device.root.pem, ['https://chatgpt.com/'])).code, 0);
  assert.equal(own.events.length, 1, 'at most once a minute');
  clock.ms += 60_000;
  await pinned();
  await pinned();
  assert.deepEqual(
    own.events.slice(1).map(({ reason, done }) => [reason, done]),
    [['pinned', 'blocked']],
  );
  await own.close();
});

test('an unidentified program is not tunnelled, only reported, except in monitor mode', {
  skip: noCurl,
}, async () => {
  const own = await startTestStack({ findProcess: async () => null });
  const pinned = () =>
    curl(own.proxy.port, own.company.url, ['--cacert', '/etc/ssl/certs/ca-certificates.crt', PINNED]);
  for (let i = 0; i < 3; i++) assert.equal((await pinned()).code, 60);
  assert.equal((await curl(own.proxy.port, own.device.root.pem, [PINNED])).code, 0, 'opened for all others');
  assert.deepEqual(
    own.events.map(({ reason, done }) => [reason, done]),
    [['pinned', 'blocked']],
  );
  assert.match(
    own.events[0]?.note ?? '',
    /An unknown program does not accept .* cannot connect to this host/,
  );
  await pinned();
  await pinned();
  own.configure({ policy: testPolicy({ mode: 'monitor' }) });
  assert.equal(
    (await curl(own.proxy.port, own.device.root.pem, ['-k', PINNED])).stdout,
    '{"hello":"/pinned"}',
  );
  assert.deepEqual(own.events.at(-1)?.done, 'forwarded');
  await own.close();
});

test('a port in use is an error', { skip: noCurl }, async () => {
  const squatter = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => squatter.once('listening', resolve));
  const { port } = squatter.address() as { port: number };
  const nothing = () => {};
  const hooks = {
    needLeaf: nothing,
    findProcess: async () => null,
    emit: nothing,
    answered: nothing,
    connectGuard: () => async () => ({ kind: 'no-answer' as const, reason: 'timeout' as const }),
    now: () => 0,
    newEventId: () => 'evt',
  };
  await assert.rejects(startProxy(testConfig({ port }), hooks), { code: 'EADDRINUSE' });
  squatter.close();
});

test('bytes of a server that speaks first arrive, by its address on port 443 too', {
  skip: noCurl,
}, async () => {
  const server = createServer((socket) => socket.end('220 first words\r\n')).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  const company = await startCompanyProxy({ leadTo: () => port });
  const own = await startTestStack({ config: { upstreamProxy: company.url } });
  const socket = await openTunnel(own.proxy.port, '93.184.216.34:443');
  let heard = '';
  for await (const chunk of socket) heard += String(chunk);
  assert.equal(heard, '220 first words\r\n');
  await own.close();
  await company.close();
  server.close();
});

test('a client that starts its handshake late, as on a busy computer, is still inspected', async (t) => {
  const own = await startTestStack();
  const target = { proxyPort: own.proxy.port, ca: own.device.root.pem, host: 'api.openai.com' };
  // Caches the certificate and the provider's HTTP version.
  (await openTls(target)).destroy();
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const socket = await openTunnel(target.proxyPort, 'api.openai.com:443');
  t.mock.timers.tick(60_000);
  const tls = connectTls({ socket, servername: target.host, ca: target.ca, ALPNProtocols: ['http/1.1'] });
  await once(tls, 'secureConnect');
  t.mock.timers.reset();
  tls.destroy();
  await own.close();
});

test('clients that leave, cleanly or not, leave no connection open', { skip: noCurl }, async () => {
  const own = await startTestStack();
  const target = { proxyPort: own.proxy.port, ca: own.device.root.pem, host: 'api.openai.com' };
  for (const version of ['--http1.1', '--http2']) {
    assert.equal((await curl(target.proxyPort, target.ca, [version, 'https://api.openai.com/'])).status, 200);
  }
  for (let i = 0; i < 5; i++) {
    const session = await openHttp2(target);
    session.request({ ':path': '/' }).on('error', () => {});
    session.destroy();
    const tls = await openTls(target);
    tls.on('error', () => {});
    tls.write('POST / HTTP/1.1\r\nHost: api.openai.com\r\nContent-Length: 9\r\n\r\nhalf');
    tls.destroy();
    (await openTunnel(target.proxyPort, 'api.openai.com:443')).destroy();
  }
  await until(
    () => own.proxy.health().openConnections,
    (open) => open === 0,
  );
  await own.close();
});
