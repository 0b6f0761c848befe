import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import type { Provider } from '../../../apps/cloud/src/upstream/provider.ts';
import {
  createUpstream,
  type Upstream,
  type UpstreamRequest,
} from '../../../apps/cloud/src/upstream/send.ts';
import { startTestProvider, type TestProvider } from '../../support/test-provider.ts';
import {
  assertUpstreamError,
  ODD_BODY as body,
  chatRequest,
  failure,
  providersAt,
} from '../../support/upstream-call.ts';

let testProvider: TestProvider;
let upstream: Upstream;
let openai: Provider;

before(async () => {
  testProvider = await startTestProvider();
  upstream = createUpstream({ timeoutMs: 60_000, maxResponseBytes: 1024 * 1024 });
  ({ openai } = providersAt(testProvider.url));
});
afterEach(() => testProvider.reset());
after(async () => {
  await upstream.close();
  await testProvider.close();
});

const ask = (change: Partial<UpstreamRequest> = {}): UpstreamRequest => chatRequest(openai, change);

describe('a response', () => {
  it('is returned as it was sent, byte for byte', async () => {
    const raw = Buffer.from('{ "n": 9007199254740993,\r\n "ß":"\\u00e9 🌍" , "unknown":[1.0e5] }\n');
    testProvider.answer({ body: raw, headers: { 'content-type': 'application/json; charset=UTF-8' } });
    const answer = await upstream.send(ask());
    assert.equal(answer.status, 200);
    assert.equal(answer.kind, 'json');
    assert.ok(answer.body.equals(raw));
  });

  it('is a whole stream, however it was cut', async () => {
    const pieces = [...'event: x\ndata: {"a":"ü🌍"}\n\ndata: [DONE]\n\n'].map((letter) =>
      Buffer.from(letter),
    );
    testProvider.answer({ body: pieces, headers: { 'content-type': 'text/event-stream' } });
    const answer = await upstream.send(ask());
    assert.equal(answer.kind, 'event-stream');
    assert.ok(answer.body.equals(Buffer.concat(pieces)));
  });

  const packed: [string, (raw: Buffer) => Buffer][] = [
    ['gzip', (raw) => gzipSync(raw)],
    ['x-gzip', (raw) => gzipSync(raw)],
    ['GZIP', (raw) => gzipSync(raw)],
    ['br', (raw) => brotliCompressSync(raw)],
    ['zstd', (raw) => zstdCompressSync(raw)],
    ['deflate', (raw) => deflateSync(raw)],
    ['deflate', (raw) => deflateRawSync(raw)],
    ['identity', (raw) => raw],
  ];
  for (const [encoding, pack] of packed) {
    it(`is decompressed if the provider compresses it all the same (${encoding}, ${pack(body)[0]})`, async () => {
      const raw = Buffer.from('{"text":"grüße"}');
      testProvider.answer({ body: pack(raw), headers: { 'content-encoding': encoding } });
      assert.ok((await upstream.send(ask())).body.equals(raw));
    });
  }

  const untyped: [string, string][] = [
    [' \n{"a":1}', 'json'],
    ['[1]', 'json'],
    ['data: {}\n\n', 'event-stream'],
    [': hello\n\ndata: {}\n\n', 'event-stream'],
  ];
  for (const [text, kind] of untyped) {
    it(`is read as ${kind} if the type says nothing: ${JSON.stringify(text)}`, async () => {
      testProvider.answer({ body: text, headers: { 'content-type': 'text/plain' } });
      assert.equal((await upstream.send(ask())).kind, kind);
    });
  }

  for (const status of [400, 401, 404, 429, 500, 503, 529]) {
    it(`may be an error of the provider (${status}), whatever its type`, async () => {
      testProvider.answer({
        status,
        body: '<html>',
        headers: { 'content-type': 'text/html', 'retry-after': '7' },
      });
      const answer = await upstream.send(ask());
      assert.equal(answer.status, status);
      assert.equal(answer.kind, 'other');
      assert.equal(answer.headers['retry-after'], '7');
    });
  }
});

describe('connections', () => {
  it('are reused', async () => {
    for (let i = 0; i < 10; i++) await upstream.send(ask());
    // Two, because undici rests a connection for one turn of the loop after each response.
    assert.ok(new Set(testProvider.requests.map((request) => request.clientPort)).size <= 2);
  });

  it('that the provider has dropped while idle cost nothing: the request is sent once, on a new one', async () => {
    for (let round = 0; round < 20; round++) {
      await upstream.send(ask());
      await testProvider.dropIdle();
      assert.equal((await upstream.send(ask())).status, 200);
    }
    assert.equal(testProvider.requests.length, 40);
  });

  it('carry many concurrent calls without one waiting for another', async () => {
    await testProvider.fault('stall');
    const leave = new AbortController();
    const stalled = Array.from({ length: 200 }, () =>
      upstream.send(ask({ signal: leave.signal })).catch(() => 'left'),
    );
    while (testProvider.requests.length < 200) await testProvider.nextRequest();
    await testProvider.reset();
    assert.equal((await upstream.send(ask())).status, 200);
    leave.abort();
    assert.deepEqual(new Set(await Promise.all(stalled)), new Set(['left']));
  });
});

describe('a client that disconnects', () => {
  for (const fault of ['stall', 'stall-midway', 'slow'] as const) {
    it(`ends the provider's call immediately (${fault})`, async () => {
      await testProvider.fault(fault);
      const leave = new AbortController();
      const arrived = testProvider.nextRequest();
      const sent = upstream.send(ask({ signal: leave.signal }));
      const request = await arrived;
      const reason = new Error('the client left');
      leave.abort(reason);
      await assert.rejects(sent, reason);
      assert.equal(await request.ended, 'aborted');
    });
  }

  it('before the call is made causes none', async () => {
    await assert.rejects(upstream.send(ask({ signal: AbortSignal.abort() })), { name: 'AbortError' });
    assert.equal(testProvider.requests.length, 0);
  });

  it('while its call waits for a connection removes it from the queue', async () => {
    const narrow = createUpstream({ connections: 1 });
    await testProvider.fault('stall');
    const [one, two] = [new AbortController(), new AbortController()];
    const arrived = testProvider.nextRequest();
    const first = narrow.send(ask({ signal: one.signal }));
    const second = narrow.send(ask({ signal: two.signal }));
    await arrived;
    two.abort();
    await assert.rejects(second, { name: 'AbortError' });
    one.abort();
    await assert.rejects(first, { name: 'AbortError' });
    await testProvider.reset();
    assert.equal((await narrow.send(ask())).status, 200);
    assert.equal(testProvider.requests.length, 1);
    await narrow.close();
  });
});

describe('the upstream as a whole', () => {
  it('rejects a response that would exceed the memory for all of them, and releases its share', async () => {
    const small = createUpstream({ maxResponseBytes: 1024 * 1024, maxGatheredBytes: 256 * 1024 });
    await testProvider.fault('huge');
    assertUpstreamError(await failure(small.send(ask())), 'busy', 503);
    await testProvider.reset();
    assert.equal((await small.send(ask())).status, 200);
    await small.close();
  });

  it('ends calls in progress as service_unavailable when it closes, and accepts no more', async () => {
    const closing = createUpstream();
    await testProvider.fault('stall');
    const arrived = testProvider.nextRequest();
    const sent = failure(closing.send(ask()));
    await arrived;
    await closing.close();
    assert.equal((await sent).code, 'service_unavailable');
    assert.equal((await failure(closing.send(ask()))).code, 'service_unavailable');
  });
});
