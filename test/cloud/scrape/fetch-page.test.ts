import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib';
import type { GuardRules } from '../../../apps/cloud/src/outbound/guarded-connector.ts';
import { createPageFetcher, MAX_PAGE_BYTES } from '../../../apps/cloud/src/scrape/fetch-page.ts';
import { PageError } from '../../../apps/cloud/src/scrape/page-error.ts';
import { HANG_LIMIT_MS } from '../../support/until.ts';

const HTML = { 'content-type': 'text/html' };
const pages: Record<string, (res: ServerResponse) => void> = {
  '/plain': (res) => res.writeHead(200, HTML).end('<p>hello'),
  '/latin': (res) =>
    res
      .writeHead(200, { 'content-type': 'text/html; charset=iso-8859-1' })
      .end(Buffer.from('caf\xe9', 'latin1')),
  '/gzip': (res) => res.writeHead(200, { ...HTML, 'content-encoding': 'gzip' }).end(gzipSync('zipped')),
  '/br': (res) => res.writeHead(200, { ...HTML, 'content-encoding': 'br' }).end(brotliCompressSync('brotli')),
  '/raw': (res) => res.writeHead(200, { ...HTML, 'content-encoding': 'deflate' }).end(deflateRawSync('raw')),
  '/odd': (res) => res.writeHead(200, { ...HTML, 'content-encoding': 'gzip, gzip' }).end('x'),
  '/bomb': (res) =>
    res
      .writeHead(200, { ...HTML, 'content-encoding': 'br' })
      .end(brotliCompressSync(Buffer.alloc(MAX_PAGE_BYTES + 1))),
  '/declared': (res) => {
    res.writeHead(200, { ...HTML, 'content-length': '52428800' });
    res.write('x');
  },
  '/large': (res) => {
    res.writeHead(200, HTML);
    const chunk = Buffer.alloc(1 << 20, 0x61);
    const more = () => {
      while (!res.destroyed && res.write(chunk));
    };
    res.on('drain', more);
    more();
  },
  '/never': (res) => {
    res.writeHead(200, HTML);
    const timer = setInterval(() => res.write('.'), 20);
    res.on('close', () => clearInterval(timer));
  },
  '/silent': () => {},
  '/half': (res) => {
    res.writeHead(200, { ...HTML, 'content-length': '100' });
    res.write('half');
    setImmediate(() => res.destroy());
  },
  '/image': (res) => res.writeHead(200, { 'content-type': 'image/png' }).end('x'),
  '/pdf': (res) => res.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.4'),
  '/missing': (res) => res.writeHead(404, HTML).end('no'),
  '/circle': (res) => res.writeHead(302, { location: '/circle2' }).end(),
  '/circle2': (res) => res.writeHead(302, { location: '/circle' }).end(),
  '/once': (res) => res.writeHead(301, { location: '/plain#part' }).end(),
  '/away': (res) => res.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/login': (res) => res.writeHead(302, { location: 'http://me:secret@127.0.0.1/' }).end(),
  '/inner': (res) => res.writeHead(307, { location: 'http://169.254.169.254/latest/' }).end(),
};
for (let hop = 0; hop < 9; hop++) {
  pages[`/hop${hop}`] = (res) => res.writeHead(302, { location: `/hop${hop + 1}` }).end();
}

const requests: string[] = [];
const server = createServer((req, res) => {
  requests.push(req.url ?? '');
  (pages[req.url ?? ''] ?? ((other) => other.writeHead(404).end()))(res);
});
let base = '';
let port = 0;
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as { port: number }).port;
  base = `http://127.0.0.1:${port}`;
});
after(() => {
  server.close();
  server.closeAllConnections();
});

const OPEN: GuardRules = { allowPrivate: true };
async function faultOf(url: string, timeoutMs = HANG_LIMIT_MS, rules = OPEN): Promise<string> {
  try {
    const page = await createPageFetcher(rules).fetch(url, timeoutMs);
    return `fetched ${page.url}`;
  } catch (error) {
    assert.ok(error instanceof PageError, `not a PageError: ${String(error)}`);
    return error.denyReason ?? error.reason;
  }
}
const fetchText = async (path: string) =>
  (await createPageFetcher(OPEN).fetch(base + path, HANG_LIMIT_MS)).text;

describe('fetching a page', () => {
  it('returns its text, decompressed and decoded', async () => {
    assert.deepEqual(await createPageFetcher(OPEN).fetch(`${base}/plain`, HANG_LIMIT_MS), {
      url: `${base}/plain`,
      type: 'html',
      text: '<p>hello',
    });
    assert.equal(await fetchText('/latin'), 'café');
    assert.equal(await fetchText('/gzip'), 'zipped');
    assert.equal(await fetchText('/br'), 'brotli');
    assert.equal(await fetchText('/raw'), 'raw');
  });

  it('stops at 10 MB, compressed or not, declared or not', async () => {
    assert.equal(await faultOf(`${base}/bomb`), 'too_large');
    assert.equal(await faultOf(`${base}/declared`), 'too_large');
    assert.equal(await faultOf(`${base}/large`), 'too_large');
  });

  it('ends a slow or endless response at its timeout', async () => {
    assert.equal(await faultOf(`${base}/never`, 300), 'timeout');
    assert.equal(await faultOf(`${base}/silent`, 300), 'timeout');
    const never = { ...OPEN, resolve: () => new Promise<never>(() => {}) };
    assert.equal(await faultOf('http://slow-name.test/', 200, never), 'timeout');
  });

  it('reports why a page cannot be read', async () => {
    assert.equal(await faultOf(`${base}/odd`), 'bad_encoding');
    assert.equal(await faultOf(`${base}/half`), 'cut_off');
    assert.equal(await faultOf(`${base}/image`), 'unsupported_type');
    assert.equal(await faultOf(`${base}/missing`), 'page_status');
    assert.equal(await faultOf('http://127.0.0.1:1/'), 'unreachable');
    assert.equal(await faultOf(`https://127.0.0.1:${port}/`), 'unreachable');
  });

  it('follows five redirects, stops at loops, and checks each target', async () => {
    assert.equal(await faultOf(`${base}/once`), `fetched ${base}/plain`);
    assert.equal(await faultOf(`${base}/circle`), 'redirect_loop');
    assert.equal(await faultOf(`${base}/hop0`), 'too_many_redirects');
    assert.equal(await faultOf(`${base}/away`), 'scheme');
    assert.equal(await faultOf(`${base}/login`), 'credentials');
  });

  it('contacts no inner address, requested or by rebinding', async () => {
    requests.length = 0;
    const guarded = { ports: [80, port] };
    assert.equal(await faultOf(`${base}/plain`, HANG_LIMIT_MS, guarded), 'private_address');
    const rebind = { ...guarded, resolve: async () => [{ address: '127.0.0.1', family: 4 as const }] };
    assert.equal(
      await faultOf(`http://rebind.example.com:${port}/plain`, HANG_LIMIT_MS, rebind),
      'private_address',
    );
    assert.equal(await faultOf('http://example.com:22/', HANG_LIMIT_MS, {}), 'port');
    assert.equal(await faultOf('http://a:b@example.com/', HANG_LIMIT_MS, {}), 'credentials');
    assert.deepEqual(requests, []);
  });

  it('resolves a name once, so that a later change has no effect', async () => {
    let calls = 0;
    const resolve = async () => {
      calls++;
      return [{ address: calls === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 as const }];
    };
    assert.match(await faultOf(`http://changing.test:${port}/plain`, 2000, { ...OPEN, resolve }), /^fetched/);
    assert.equal(calls, 1);
  });

  it('survives a server that does not speak HTTP', async () => {
    const tcp = createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
    const { port: tcpPort } = tcp.address() as { port: number };
    assert.match(await faultOf(`http://127.0.0.1:${tcpPort}/`), /^(unreachable|cut_off)$/);
    tcp.close();
  });
});

const shared = join(process.env['CSG_SHARED_DIR'] ?? '../shared', 'data/hostile/ssrf-urls.jsonl');
const rows = readRows(shared);

it('rejects every address of the shared list', { skip: rows.length === 0 && 'it is not here' }, async () => {
  const fetcher = createPageFetcher({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
  for (const row of rows.filter((one) => one.expect !== 'allow')) {
    await assert.rejects(
      fetcher.fetch(row.url, 2000),
      (error) => error instanceof PageError && error.reason === 'address_refused',
      `row ${row.id} (${row.kind}) was not rejected`,
    );
  }
});

function readRows(file: string): { id: number; url: string; kind: string; expect: string }[] {
  try {
    return readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  } catch {
    return [];
  }
}
