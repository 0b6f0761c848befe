/** A proxy as a process of its own, for the load of desktop-proxy.ts: `ours`, or mockttp out of the folder named. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startProxy } from '../../apps/desktop/src/proxy/start-proxy.ts';
import { newAuthority } from '../support/desktop/certificates.ts';
import { testConfig } from '../support/desktop/stand.ts';
import { startTlsProvider } from '../support/desktop/tls-provider.ts';

interface Mockttp {
  generateCACertificate(): Promise<object>;
  getLocal(options: object): {
    start(): Promise<void>;
    forUnmatchedRequest(): { thenPassThrough(options: object): Promise<void> };
    readonly port: number;
  };
}

async function runOurs(): Promise<number> {
  const device = await newAuthority(['localhost']);
  const proxy = await startProxy(testConfig({ upstreamCa: [readProviderCa()] }), {
    needLeaf: (host) => {
      void device.issuer.leafFor(host, Date.now()).then((leaf) => proxy.leaf(host, leaf));
    },
    emit: () => {},
    findProcess: async () => null,
    connectGuard: () => async () => ({ kind: 'no-answer', reason: 'unreachable' }),
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

async function runTestProvider(): Promise<string> {
  const authority = await newAuthority(['localhost']);
  const testProvider = await startTlsProvider(authority, { http2: false });
  const body = Buffer.alloc(1_024, 'x');
  body.write('~END~', body.length - 5);
  testProvider.answer((response) => {
    testProvider.requests.length = 0;
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': body.length });
    response.end(body);
  });
  return `${testProvider.port} ${Buffer.from(authority.root.pem).toString('base64')}`;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { ca: { type: 'string' }, folder: { type: 'string' } },
});
const [what] = positionals;
const version =
  what === 'provider'
    ? await runTestProvider()
    : what === 'ours'
      ? await runOurs()
      : await runMockttp(values.folder ?? '.');
console.log(`listening on ${version}`);
