/**
 * What the load of desktop-proxy.ts needs, each as a process of its own: the provider, the service, our proxy without
 * and with a service (`ours`, `guarded`), and mockttp or http-proxy-3 out of the folder named.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Agent } from 'node:https';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createGuardClient } from '../../../apps/desktop/src/cloud-client/request-guard.ts';
import { startProxy } from '../../../apps/desktop/src/proxy/start-proxy.ts';
import { newAuthority } from '../../../test/support/desktop/certificates.ts';
import { testConfig } from '../../../test/support/desktop/test-stack.ts';
import { startTlsProvider } from '../../../test/support/desktop/tls-provider.ts';
import { ANSWER } from './answers.ts';

interface Mockttp {
  generateCACertificate(): Promise<object>;
  getLocal(options: object): {
    start(): Promise<void>;
    forUnmatchedRequest(): { thenPassThrough(options: object): Promise<void> };
    readonly port: number;
  };
}

/** `service`: what is asked for verdicts; null: nothing is asked, as for a request without a text. */
async function runOurs(service: string | null): Promise<number> {
  const device = await newAuthority(['localhost']);
  const config = testConfig({
    upstreamCa: [readProviderCa()],
    ...(service !== null && { service: { url: service, apiKey: 'bench' } }),
  });
  const proxy = await startProxy(config, {
    needLeaf: (host) => {
      void device.issuer.leafFor(host, Date.now()).then((leaf) => proxy.leaf(host, leaf));
    },
    emit: () => {},
    answered: () => {},
    findProcess: async () => null,
    connectGuard: (of) => createGuardClient({ ...of, now: () => performance.now() }).request,
    now: () => Date.now(),
    newEventId: () => 'evt_bench',
  });
  return proxy.port;
}

function readProviderCa(): string {
  return Buffer.from(values.ca ?? '', 'base64').toString('utf8');
}

async function runMockttp(folder: string): Promise<number> {
  const { getLocal, generateCACertificate } = createRequire(path.join(folder, 'x.js'))('mockttp') as Mockttp;
  const server = getLocal({ https: await generateCACertificate(), recordTraffic: false });
  await server.start();
  await server.forUnmatchedRequest().thenPassThrough({ ignoreHostHttpsErrors: true });
  return server.port;
}

interface HttpProxy {
  createProxyServer(options: object): {
    listen(port: number, host: string): void;
    on(event: 'error', listener: (error: Error) => void): void;
    readonly _server: { address(): AddressInfo } & NodeJS.EventEmitter;
  };
}

/** TLS to the client and to the provider, connections kept, as ours. */
async function runHttpProxy(folder: string, providerPort: string): Promise<number> {
  const { createProxyServer } = createRequire(path.join(folder, 'x.js'))('http-proxy-3') as HttpProxy;
  const leaf = await (await newAuthority(['localhost'])).issuer.leafFor('localhost', Date.now());
  const proxy = createProxyServer({
    target: `https://localhost:${providerPort}`,
    ssl: { cert: leaf.chain, key: leaf.key },
    agent: new Agent({ keepAlive: true, ca: readProviderCa() }),
  });
  proxy.on('error', (error) => console.error(error));
  proxy.listen(0, '127.0.0.1');
  await once(proxy._server, 'listening');
  return proxy._server.address().port;
}

/** Allows everything. */
async function runService(): Promise<string> {
  const verdict = JSON.stringify({
    decision: 'allow',
    event_id: 'evt_0123456789abcdef0123456789abcdef',
    confidence: 0,
    threat_type: null,
    threats: [],
    redacted_messages: null,
    unscanned: [],
    latency_ms: 1.2,
  });
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(verdict);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function runTestProvider(): Promise<string> {
  const authority = await newAuthority(['localhost']);
  const testProvider = await startTlsProvider(authority, { http2: false });
  const body = Buffer.alloc(1_024, 'x');
  body.write('~END~', body.length - 5);
  testProvider.answer((response, { method }) => {
    testProvider.requests.length = 0;
    if (method === 'POST') {
      const headers = { 'content-type': 'application/json', 'content-length': ANSWER.length };
      response.writeHead(200, headers).end(ANSWER);
      return;
    }
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': body.length });
    response.end(body);
  });
  return `${testProvider.port} ${Buffer.from(authority.root.pem).toString('base64')}`;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ca: { type: 'string' },
    folder: { type: 'string' },
    service: { type: 'string' },
    provider: { type: 'string' },
  },
});
const [what = ''] = positionals;
const folder = values.folder ?? '.';
const START: Readonly<Record<string, () => Promise<number | string>>> = {
  provider: runTestProvider,
  service: runService,
  ours: () => runOurs(null),
  guarded: () => runOurs(values.service ?? null),
  mockttp: () => runMockttp(folder),
  'http-proxy': () => runHttpProxy(folder, values.provider ?? ''),
};
console.log(`listening on ${await START[what]?.()}`);
