/**
 * Any local program may send the proxy anything, and a provider may respond with anything: the process survives and
 * keeps serving.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:http2';
import { connect as connectTcp, type Socket } from 'node:net';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { createServer as createTlsServer, type Server } from 'node:tls';
import type { FromProxy, ToProxy } from '../../../apps/desktop/src/proxy/messages.ts';
import { startCompanyProxy } from '../../support/company-proxy.ts';
import { newAuthority } from '../../support/desktop/certificates.ts';
import { openHttp2, openTls, openTunnel } from '../../support/desktop/clients.ts';
import { curl, noCurl } from '../../support/desktop/curl.ts';
import { AI_HOSTS, PROBE_HOST, testConfig } from '../../support/desktop/test-stack.ts';
import { startTlsProvider, type TlsProvider } from '../../support/desktop/tls-provider.ts';
import { seededRandom } from '../../support/random.ts';

const SCRIPT = path.resolve(import.meta.dirname, '../../../apps/desktop/src/proxy/proxy-process.ts');
const ANSWER_WITHIN_MS = 5_000;
const random = seededRandom(Number(process.env['ODD_REQUESTS_SEED'] ?? 1));
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const some = <T>(list: readonly T[]): T[] => list.filter(() => random() < 0.3);

const NAMES = ['content-length', 'Content-Length', '__proto__', 'constructor', 'Trailer', 'TE', 'cookie'];
NAMES.push('Transfer-Encoding', 'Upgrade', 'connection', 'Connection', 'Expect', 'Proxy-Connection', 'host');
NAMES.push(
  'content-type',
  'content-encoding',
  'HTTP2-Settings',
  'Sec-WebSocket-Protocol',
  'x\u00e9',
  'a b',
  '',
);
const VALUES = [
  '2',
  '0',
  '-1',
  '99999999999999999999',
  'chunked',
  'gzip, chunked',
  'websocket',
  'h2c',
  'close',
];
VALUES.push(
  'keep-alive, __proto__',
  '100-continue',
  'a, a',
  'a b, ,',
  'caf\u00e9',
  '\u0001',
  'gzip',
  'trailers',
);
VALUES.push('application/json', 'multipart/form-data; boundary=', 'x'.repeat(9_000), 'text/event-stream');
const METHODS = [
  'GET',
  'POST',
  'DELETE',
  'OPTIONS',
  'HEAD',
  'PATCH',
  'TRACE',
  'QUERY',
  'CONNECT',
  'FOO',
  'get',
];
const PATHS = [
  '/',
  '/v1/chat/completions',
  '*',
  '/\u00e9\u00ff',
  '/a b',
  '//',
  '/%',
  '/?q=%zz',
  '?',
  '/#x',
  '',
];
const BODIES = [
  '',
  '{}',
  '{',
  '[1',
  '\0\0',
  '2\r\n{}\r\n0\r\n\r\n',
  'zz\r\n',
  '0\r\nX: 1\r\n\r\n',
  'x'.repeat(70_000),
];
const ANSWERS = [
  'HTTP/1.1 200 OK',
  'HTTP/1.1 101 Odd',
  'HTTP/1.1 103 Early',
  'HTTP/1.1 999 ',
  'HTTP/1.1 204 \u00e9',
];
ANSWERS.push('HTTP/1.0 200', 'HTTP/1.1 304 Not', 'HTTP/2 200', 'nonsense', 'HTTP/1.1 200 OK\r\nX: \u0007');

let proxy: ChildProcess;
let port = 0;
let ca = '';
let testProvider: TlsProvider;
let odd: Server;
const closing: (() => unknown)[] = [];

before(async () => {
  const authority = await newAuthority([...AI_HOSTS, 'odd.example']);
  const device = await newAuthority([...AI_HOSTS, PROBE_HOST, 'odd.example']);
  ca = device.root.pem;
  testProvider = await startTlsProvider(authority);
  const leaf = await authority.issuer.leafFor('odd.example', Date.now());
  odd = createTlsServer({ cert: leaf.chain, key: leaf.key, ALPNProtocols: ['http/1.1'] }, (socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      const headers = some(NAMES.slice(0, 14)).map((name) => `${name}: ${pick(VALUES)}`);
      socket.end(Buffer.from([pick(ANSWERS), ...headers, '', pick(BODIES)].join('\r\n'), 'latin1'));
    });
  });
  odd.on('tlsClientError', () => {});
  odd.listen(0, '127.0.0.1');
  await once(odd, 'listening');
  const oddPort = (odd.address() as { port: number }).port;
  const company = await startCompanyProxy({
    leadTo: (name) => (name.startsWith('odd.example') ? oddPort : testProvider.port),
  });
  proxy = spawn(process.execPath, [SCRIPT], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const say = (message: ToProxy): unknown => proxy.send(message);
  const ready = Promise.withResolvers<number>();
  proxy.on('message', async (message: FromProxy) => {
    if (message.type === 'ready') ready.resolve(message.port);
    if (message.type !== 'need-leaf') return;
    const { host } = message;
    say({ type: 'leaf', host, leaf: await device.issuer.leafFor(host, Date.now()) });
  });
  const { policy, ...config } = testConfig({ upstreamProxy: company.url, upstreamCa: [authority.root.pem] });
  const hosts = [...policy.hosts, 'odd.example'];
  say({ type: 'configure', config: { ...config, policy: { ...policy, hosts } } });
  port = await ready.promise;
  closing.push(
    () => proxy.kill('SIGKILL'),
    () => company.close(),
    () => testProvider.close(),
    () => odd.close(),
  );
});
after(async () => {
  for (const close of closing) await close();
});

/** Writes, and reads until the other side responds or leaves. */
async function sendText(socket: Socket, text: string): Promise<void> {
  socket.on('error', () => {});
  socket.write(Buffer.from(text, 'latin1'));
  const late = AbortSignal.timeout(ANSWER_WITHIN_MS);
  await Promise.race([once(socket, 'data', { signal: late }), once(socket, 'close', { signal: late })]).catch(
    () => {},
  );
  if (random() < 0.5) socket.resetAndDestroy();
  else socket.destroy();
}

function oddRequest(target: string, host: string): string {
  const headers = some(NAMES).map((name) => `${name}: ${pick(VALUES)}`);
  return [`${pick(METHODS)} ${target} HTTP/1.1`, `Host: ${host}`, ...headers, '', pick(BODIES)].join('\r\n');
}

const HOSTS = ['api.openai.com', 'odd.example', 'bank.example', 'localhost', '[::1]', 'a%00', ''];
const KINDS = {
  plain: () => {
    const host = pick(HOSTS);
    return sendText(connectTcp(port, '127.0.0.1'), oddRequest(`http://${host}${pick(PATHS)}`, host));
  },
  origin: () => sendText(connectTcp(port, '127.0.0.1'), oddRequest(pick(PATHS), pick(HOSTS))),
  upgrade: () => {
    const protocols = pick(['a, a', 'a b', '\u00e9', 'fine']);
    const key = pick(['dGhlIHNhbXBsZSBub25jZQ==', '', 'x']);
    const head = `GET ${pick(['ws', 'http'])}://${pick(HOSTS)}${pick(PATHS)} HTTP/1.1\r\nHost: h\r\n`;
    const asks = `Upgrade: ${pick(['websocket', 'h2c', ''])}\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n`;
    const rest = `Sec-WebSocket-Key: ${key}\r\nSec-WebSocket-Protocol: ${protocols}\r\n\r\n`;
    return sendText(connectTcp(port, '127.0.0.1'), head + asks + rest);
  },
  connect: async () => {
    const line = `CONNECT ${pick(['api.openai.com:443', 'h:0', 'h', ':443', '%:1', 'bank.example:443'])} HTTP/1.1`;
    await sendText(connectTcp(port, '127.0.0.1'), `${line}\r\nHost: h\r\n\r\n${pick(BODIES)}`);
  },
  clear: async () =>
    sendText(await openTunnel(port, 'api.openai.com:443'), oddRequest(pick(PATHS), 'api.openai.com')),
  tls: async () => {
    const host = pick(['api.openai.com', 'odd.example']);
    const tls = await openTls({ proxyPort: port, ca, host });
    const target = pick(PATHS);
    await sendText(
      tls,
      random() < 0.7 ? oddRequest(target, host) : `POST ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    );
  },
  http2: async () => {
    const session = await openHttp2({ proxyPort: port, ca, host: 'api.openai.com' });
    const headers = Object.fromEntries(
      some(['__proto__', 'content-length', 'x-a', 'trailer', 'cookie', 'accept']).map((name) => [
        name,
        pick(VALUES),
      ]),
    );
    try {
      const stream = session.request({
        ':method': pick(['GET', 'POST', 'FOO', 'DELETE']),
        ':path': pick(PATHS),
        ...headers,
      });
      stream.on('error', () => {});
      stream.end(pick(BODIES));
      const late = AbortSignal.timeout(ANSWER_WITHIN_MS);
      await Promise.race([
        once(stream, 'response', { signal: late }),
        once(stream, 'close', { signal: late }),
      ]);
      if (random() < 0.3) stream.close(constants.NGHTTP2_PROTOCOL_ERROR);
    } catch {
      // The client's own library refused to send it, or it was rejected.
    } finally {
      session.destroy();
    }
  },
};

test('a thousand malformed requests and responses end no process, and the next request is served', {
  skip: noCurl,
}, async () => {
  const kinds = Object.values(KINDS);
  const deaths: unknown[] = [];
  proxy.once('exit', (code, signal) => deaths.push([code, signal]));
  let left = 1_000;
  const worker = async (): Promise<void> => {
    while (left-- > 0 && deaths.length === 0) await pick(kinds)().catch(() => {});
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  assert.deepEqual(deaths, [], 'the proxy process ended');
  const served = await curl(port, ca, ['https://api.openai.com/v1/models']);
  assert.deepEqual([served.code, served.status], [0, 200]);
});
