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
import { setTimeout } from 'node:timers/promises';
import { createSecureContext, createServer as createTlsServer, type Server, type TlsOptions } from 'node:tls';
import type { FromProxy, ToProxy } from '../../../apps/desktop/src/proxy/messages.ts';
import { startCompanyProxy } from '../../support/company-proxy.ts';
import { newAuthority } from '../../support/desktop/certificates.ts';
import { openHttp2, openTls, openTunnel } from '../../support/desktop/clients.ts';
import { curl, noCurl } from '../../support/desktop/curl.ts';
import {
  ACK,
  END_HEADERS,
  END_STREAM,
  FRAMES,
  frame,
  headerBlock,
} from '../../support/desktop/http2-frames.ts';
import { AI_HOSTS, PROBE_HOST, testConfig } from '../../support/desktop/test-stack.ts';
import { startTlsProvider, type TlsProvider } from '../../support/desktop/tls-provider.ts';
import { seededRandom } from '../../support/random.ts';

const SCRIPT = path.resolve(import.meta.dirname, '../../../apps/desktop/src/proxy/proxy-process.ts');
const ANSWER_WITHIN_MS = 1_500;
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
const STATUS_LINES = [
  'HTTP/1.1 200 OK',
  'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK',
  'HTTP/1.1 101 Odd',
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket',
  'HTTP/1.1 102 \r\nX: 1\r\n\r\nHTTP/1.1 103 Early\r\nLink: <x>\r\n\r\nHTTP/1.1 200 OK',
  'HTTP/1.1 103 Early',
  'HTTP/1.1 999 ',
  'HTTP/1.1 099 Low',
  'HTTP/1.1 1000 High',
  'HTTP/1.1 204 \u00e9',
  'HTTP/1.1 205 Reset',
  'HTTP/1.0 200',
  'HTTP/1.1 304 Not',
  'HTTP/2 200',
  'nonsense',
  'HTTP/1.1 200 OK\r\nX: \u0007',
  'HTTP/1.1 200 OK\r\nX\u00e9: a\u0000b\u007f\u00ff',
  'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked',
  'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 7',
  `HTTP/1.1 200 OK${'\r\nX-Many: 1'.repeat(3_000)}`,
  `HTTP/1.1 200 OK${Array.from({ length: 1_900 }, (_, i) => `\r\nX-${i}: 1`).join('')}`,
  'HTTP/1.1 200 OK\r\nTrailer: X-End\r\nTransfer-Encoding: chunked',
  'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked',
];
/** Of a body in chunks. */
const TRAILERS = [
  ...['X-End: 1', 'Connection: close', 'Transfer-Encoding: chunked', 'Content-Length: 3', ':status: 200'],
  ...[
    '__proto__: 1',
    'TE: trailers',
    'X-End: caf\u00e9',
    'X-End: \u0001',
    'X End: 1',
    'Host: h',
    'Trailer: x',
  ],
];
const withTrailers = (): string => `2\r\n{}\r\n0\r\n${some(TRAILERS).join('\r\n')}\r\n\r\n`;
/** Answers each stream of HTTP/2 with frames that no library would write. */
function answerHttp2(socket: Socket): void {
  socket.write(frame('settings', 0, 0, Buffer.alloc(0)));
  let got = Buffer.alloc(0);
  let isBegun = false;
  socket.on('data', (bytes: Buffer) => {
    got = Buffer.concat([got, bytes]);
    if (!isBegun && got.length >= 24) {
      isBegun = true;
      got = got.subarray(24);
    }
    while (isBegun && got.length >= 9 && got.length >= 9 + got.readUIntBE(0, 3)) {
      const [type, stream] = [got[3], got.readUInt32BE(5)];
      if (type === FRAMES.settings && got[4] === 0) socket.write(frame('settings', ACK, 0, Buffer.alloc(0)));
      if (type === FRAMES.headers) {
        answered.http2++;
        socket.write(Buffer.concat(oddFrames(stream)));
      }
      got = got.subarray(9 + got.readUIntBE(0, 3));
    }
  });
}

function oddFrames(stream: number): Buffer[] {
  const pairs = (texts: readonly string[]) =>
    texts.map((text) => text.split(/(?<=.): /, 2) as [string, string]);
  const status = pick([
    '100',
    '101',
    '103',
    '199',
    '200',
    '204',
    '304',
    '599',
    '600',
    '999',
    '',
    'abc',
    '-1',
  ]);
  const odd = some(NAMES).map((name): [string, string] => [
    random() < 0.5 ? name.toLowerCase() : name,
    pick(VALUES),
  ]);
  const many = random() < 0.1 ? Array.from({ length: 900 }, (): [string, string] => ['x', '1']) : [];
  const usual: [string, string][] = [['content-type', 'application/json']];
  const own = random() < 0.4 ? usual : [...odd, ...many];
  const head = frame('headers', END_HEADERS, stream, headerBlock([[':status', status], ...own]));
  const again = frame('headers', END_HEADERS, stream, headerBlock([[':status', '200'], ...usual]));
  const data = frame('data', 0, stream, Buffer.from(pick(BODIES).slice(0, 16_000)));
  const last = frame('headers', END_HEADERS | END_STREAM, stream, headerBlock(pairs(some(TRAILERS))));
  const reset = frame('reset', 0, stream, Buffer.from([0, 0, 0, pick([0, 2, 7, 8])]));
  const goAway = frame(
    'goAway',
    0,
    0,
    Buffer.from([0, 0, 0, pick([0, stream & 255]), 0, 0, 0, pick([0, 2])]),
  );
  const ends = [last, frame('data', END_STREAM, stream, Buffer.alloc(0)), reset, goAway];
  return [head, ...(random() < 0.4 ? [again] : []), ...(random() < 0.7 ? [data] : []), pick(ends)];
}

/** The proxy keeps a host's version of HTTP once it knows it. */
const ODD_HOSTS = Array.from({ length: 8 }, (_, i) => `odd${i}.example`);
/** By the odd provider. */
const answered = { http1: 0, http2: 0 };
let proxy: ChildProcess;
let port = 0;
let ca = '';
let testProvider: TlsProvider;
let odd: Server;
const closing: (() => unknown)[] = [];

before(async () => {
  const authority = await newAuthority([...AI_HOSTS, ...ODD_HOSTS]);
  const device = await newAuthority([...AI_HOSTS, PROBE_HOST, ...ODD_HOSTS]);
  ca = device.root.pem;
  testProvider = await startTlsProvider(authority);
  // A provider that changes its mind about the version: a client of HTTP/2 then gets what came over HTTP/1.
  const ALPNCallback = ({ protocols }: { protocols: readonly string[] }): string =>
    protocols.includes('h2') && random() < 0.8 ? 'h2' : 'http/1.1';
  const SNICallback: TlsOptions['SNICallback'] = (name, done) => {
    authority.issuer.leafFor(name, Date.now()).then(
      (leaf) => done(null, createSecureContext({ cert: leaf.chain, key: leaf.key })),
      (error: Error) => done(error),
    );
  };
  odd = createTlsServer({ ALPNCallback, SNICallback }, (socket) => {
    socket.on('error', () => {});
    if (socket.alpnProtocol === 'h2') return answerHttp2(socket);
    socket.once('data', () => {
      const headers = some(NAMES.slice(0, 14)).map((name) => `${name}: ${pick(VALUES)}`);
      const line = STATUS_LINES[answered.http1++ % STATUS_LINES.length]!;
      const own = random() < 0.5 ? headers : [];
      const body = line.endsWith('chunked') ? withTrailers() : pick(BODIES);
      socket.end(Buffer.from([line, ...own, '', body].join('\r\n'), 'latin1'));
    });
    return undefined;
  });
  odd.on('tlsClientError', () => {});
  odd.listen(0, '127.0.0.1');
  await once(odd, 'listening');
  const oddPort = (odd.address() as { port: number }).port;
  const company = await startCompanyProxy({
    leadTo: (name) => (ODD_HOSTS.some((odd) => name.startsWith(odd)) ? oddPort : testProvider.port),
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
  const hosts = [...policy.hosts, ...ODD_HOSTS];
  say({ type: 'configure', config: { ...config, policy: { ...policy, hosts } } });
  proxy.once('exit', (code) => ready.reject(new Error(`The proxy ended with ${code}.`)));
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
  const isChunked = random() < 0.15;
  const line = `${pick(METHODS)} ${target} ${pick(['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/0.9'])}`;
  const headers = some(NAMES).map((name) => `${name}: ${pick(VALUES)}`);
  const many = random() < 0.05 ? Array.from({ length: 2_500 }, (_, i) => `X-${i}: 1`) : [];
  const own = isChunked ? ['Transfer-Encoding: chunked', 'Trailer: X-End'] : [...headers, ...many];
  return [line, `Host: ${host}`, ...own, '', isChunked ? withTrailers() : pick(BODIES)].join('\r\n');
}

const HOSTS = ['api.openai.com', ...ODD_HOSTS, 'bank.example', 'localhost', '[::1]', 'a%00', ''];
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
  /** Over TLS the provider may answer with any of its odd answers. */
  upgradeTls: async () => {
    const host = pick(ODD_HOSTS);
    const tls = await openTls({ proxyPort: port, ca, host });
    const asks = `Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: ${pick(['13', '8', ''])}\r\n`;
    const rest = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
    await sendText(tls, `GET ${pick(PATHS)} HTTP/1.1\r\nHost: ${host}\r\n${asks}${rest}`);
  },
  connect: async () => {
    const line = `CONNECT ${pick(['api.openai.com:443', 'h:0', 'h', ':443', '%:1', 'bank.example:443'])} HTTP/1.1`;
    await sendText(connectTcp(port, '127.0.0.1'), `${line}\r\nHost: h\r\n\r\n${pick(BODIES)}`);
  },
  clear: async () =>
    sendText(await openTunnel(port, 'api.openai.com:443'), oddRequest(pick(PATHS), 'api.openai.com')),
  tls: async () => {
    const host = pick(['api.openai.com', ...ODD_HOSTS]);
    const tls = await openTls({ proxyPort: port, ca, host });
    const target = pick(PATHS);
    await sendText(
      tls,
      random() < 0.7 ? oddRequest(target, host) : `POST ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    );
  },
  http2: async () => {
    const session = await openHttp2({ proxyPort: port, ca, host: pick(['api.openai.com', ...ODD_HOSTS]) });
    const headers = Object.fromEntries(
      some(['__proto__', 'content-length', 'x-a', 'trailer', 'cookie', 'accept']).map((name) => [
        name,
        pick(VALUES),
      ]),
    );
    try {
      if (random() < 0.1) {
        const tunnel = session.request({ ':method': 'CONNECT', ':authority': 'h:1' });
        tunnel.on('error', () => {}).once('response', () => tunnel.close(constants.NGHTTP2_PROTOCOL_ERROR));
        await once(tunnel, 'close', { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
      }
      const head = { ':method': pick(['GET', 'POST', 'FOO', 'DELETE', 'HEAD']), ':path': pick(PATHS) };
      const stream = session.request({ ...head, ...headers }, { waitForTrailers: random() < 0.3 });
      stream.on('error', () => {});
      stream.on('wantTrailers', () =>
        stream.sendTrailers({ [pick(['x-end', '__proto__'])]: pick(['1', '']) }),
      );
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
}, async (t) => {
  const kinds = Object.entries(KINDS);
  const deaths: unknown[] = [];
  const unanswered: string[] = [];
  proxy.once('exit', (code, signal) => deaths.push([code, signal]));
  let left = 1_000;
  const worker = async (): Promise<void> => {
    while (left-- > 0 && deaths.length === 0) {
      const [name, request] = pick(kinds);
      const isDone = request().then(
        () => true,
        () => true,
      );
      const isLate = setTimeout(3 * ANSWER_WITHIN_MS, false, { ref: false });
      if (!(await Promise.race([isDone, isLate]))) unanswered.push(name);
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  assert.deepEqual(deaths, [], 'the proxy process ended');
  assert.ok(answered.http1 >= STATUS_LINES.length && answered.http2 > 0, JSON.stringify(answered));
  t.diagnostic(JSON.stringify({ answered, unanswered }));
  const served = await curl(port, ca, ['https://api.openai.com/v1/models']);
  assert.deepEqual([served.code, served.status], [0, 200]);
});
