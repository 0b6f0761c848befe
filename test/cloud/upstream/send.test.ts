import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { after, afterEach, before, describe, it } from 'node:test';
import { createServer as createSecureServer } from 'node:tls';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { CodedError } from '@csg/shared/contract';
import type { Provider } from '../../../apps/cloud/src/upstream/provider.ts';
import { createProviders } from '../../../apps/cloud/src/upstream/providers.ts';
import {
  createUpstream,
  type Upstream,
  type UpstreamRequest,
} from '../../../apps/cloud/src/upstream/send.ts';
import { startVendor, type Vendor, type VendorFault } from '../../support/vendor.ts';

let vendor: Vendor;
let upstream: Upstream;
let openai: Provider;
let anthropic: Provider;

const find = (providers: readonly Provider[], name: string): Provider =>
  providers.find((row) => row.name === name)!;

before(async () => {
  vendor = await startVendor();
  upstream = createUpstream({ timeoutMs: 5_000, maxAnswerBytes: 1024 * 1024 });
  const providers = createProviders({ openaiUrl: vendor.url, anthropicUrl: vendor.url });
  openai = find(providers, 'openai');
  anthropic = find(providers, 'anthropic');
});
afterEach(() => vendor.reset());
after(async () => {
  await upstream.close();
  await vendor.close();
});

const body = Buffer.from(
  '{"model":"gpt-x",  "n":9007199254740993, "messages":[{"role":"user","content":"grüße 🌍"}]}',
);
function ask(change: Partial<UpstreamRequest> = {}): UpstreamRequest {
  const headers = { 'content-type': 'application/json' };
  return { provider: openai, dialect: 'openai-chat', headers, body, credential: 'sk-provider', ...change };
}

/** The failure as a client would see it; fails the test when there is none. */
async function failure(promise: Promise<unknown>): Promise<CodedError> {
  const error = await promise.then(
    () => assert.fail('an answer came where a failure was due'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof CodedError, `a CodedError was due, not ${String(error)}`);
  return error;
}

async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

function assertFault(error: CodedError, reason: string, status: number): void {
  assert.deepEqual(
    { code: error.code, status: error.status, type: error.type, fields: error.fields },
    { code: 'provider_error', status, type: 'provider_error', fields: { provider: 'openai', reason } },
  );
  assert.match(error.message, /^OpenAI [^0-9]+\.$/, 'the message names the vendor and no address');
}

describe('what goes out', () => {
  it('is the body as it came, to the byte, with its length', async () => {
    await upstream.send(ask());
    const got = vendor.lastRequest();
    assert.equal(got.method, 'POST');
    assert.equal(got.url, '/v1/chat/completions');
    assert.ok(got.body.equals(body));
    assert.equal(got.headers['content-length'], String(body.length));
    assert.equal(got.headers['transfer-encoding'], undefined);
  });

  it('is every allowed header of the client and no other', async () => {
    await upstream.send(
      ask({
        headers: {
          accept: 'application/json',
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'OpenAI/JS 7',
          'x-stainless-lang': 'js',
          'openai-organization': 'org-1',
          'openai-project': 'proj-1',
          'openai-beta': 'assistants=v2',
          'x-api-key': 'svc_live_secret',
          authorization: 'Bearer sk-other',
          cookie: 'session=1',
          host: 'gateway.example',
          connection: 'keep-alive, x-custom',
          'keep-alive': 'timeout=5',
          'transfer-encoding': 'chunked',
          'content-length': '3',
          'content-encoding': 'gzip',
          'accept-encoding': 'gzip, br',
          expect: '100-continue',
          te: 'trailers',
          upgrade: 'websocket',
          'proxy-authorization': 'Basic x',
          'x-forwarded-for': '10.1.2.3',
          forwarded: 'for=10.1.2.3',
          'idempotency-key': 'abc',
          'x-request-id': 'ours',
          'x-service-provider': 'openai',
          'anthropic-beta': 'not-for-openai',
          origin: 'https://app.example',
          'sec-fetch-mode': 'cors',
        },
      }),
    );
    const { host, 'content-length': _, connection, ...rest } = vendor.lastRequest().headers;
    assert.equal(`http://${host}`, vendor.url);
    assert.equal(connection, 'keep-alive');
    assert.deepEqual(rest, {
      'accept-encoding': 'identity',
      accept: 'application/json',
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'OpenAI/JS 7',
      'x-stainless-lang': 'js',
      'openai-organization': 'org-1',
      'openai-project': 'proj-1',
      'openai-beta': 'assistants=v2',
      authorization: 'Bearer sk-provider',
    });
  });

  it('carries the credential of a messages-style vendor in its own header, with a version', async () => {
    await upstream.send(ask({ provider: anthropic, dialect: 'anthropic-messages', query: 'beta=true' }));
    const got = vendor.lastRequest();
    assert.equal(got.url, '/v1/messages?beta=true');
    assert.equal(got.headers['x-api-key'], 'sk-provider');
    assert.equal(got.headers.authorization, undefined);
    assert.equal(got.headers['anthropic-version'], '2023-06-01');
  });

  it("leaves the client's version and betas as they are", async () => {
    const headers = { 'anthropic-version': '2024-01-01', 'anthropic-beta': 'a,b' };
    await upstream.send(ask({ provider: anthropic, dialect: 'anthropic-count-tokens', headers }));
    const got = vendor.lastRequest();
    assert.equal(got.url, '/v1/messages/count_tokens');
    assert.equal(got.headers['anthropic-version'], '2024-01-01');
    assert.equal(got.headers['anthropic-beta'], 'a,b');
    assert.equal(got.headers['content-type'], 'application/json');
  });

  it('is a GET without a body for the model list', async () => {
    const answer = await upstream.send(ask({ dialect: 'models', body: null, headers: {} }));
    const got = vendor.lastRequest();
    assert.equal(`${got.method} ${got.url}`, 'GET /v1/models');
    assert.equal(got.body.length, 0);
    assert.equal(got.headers['content-type'], undefined);
    assert.ok(JSON.parse(answer.body.toString()).data.length > 0);
  });

  for (const credential of ['svc_live_abcdefgh_rest', '', 'sk with blank', 'sk\r\nx: y', 'sk-ü']) {
    it(`is nothing at all for the credential ${JSON.stringify(credential)}`, async () => {
      const error = await failure(upstream.send(ask({ credential })));
      assert.equal(error.code, 'invalid_api_key');
      assert.equal(error.status, 401);
      assert.match(error.message, /OpenAI/);
      if (credential !== '') assert.ok(!error.message.includes(credential));
      assert.equal(vendor.requests.length, 0);
    });
  }
});

describe('what comes back', () => {
  it('is the answer as it was sent, to the byte', async () => {
    const raw = Buffer.from('{ "n": 9007199254740993,\r\n "ß":"\\u00e9 🌍" , "unknown":[1.0e5] }\n');
    vendor.answer({ body: raw, headers: { 'content-type': 'application/json; charset=UTF-8' } });
    const answer = await upstream.send(ask());
    assert.equal(answer.status, 200);
    assert.equal(answer.kind, 'json');
    assert.ok(answer.body.equals(raw));
  });

  it('is a stream whole, however it was cut', async () => {
    const pieces = [...'event: x\ndata: {"a":"ü🌍"}\n\ndata: [DONE]\n\n'].map((letter) =>
      Buffer.from(letter),
    );
    vendor.answer({ body: pieces, headers: { 'content-type': 'text/event-stream' } });
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
    it(`is unpacked where the vendor packs all the same (${encoding}, ${pack(body)[0]})`, async () => {
      const raw = Buffer.from('{"text":"grüße"}');
      vendor.answer({ body: pack(raw), headers: { 'content-encoding': encoding } });
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
    it(`is read as ${kind} where the type says nothing: ${JSON.stringify(text)}`, async () => {
      vendor.answer({ body: text, headers: { 'content-type': 'text/plain' } });
      assert.equal((await upstream.send(ask())).kind, kind);
    });
  }

  for (const status of [400, 401, 404, 429, 500, 503, 529]) {
    it(`is a refusal of the vendor too (${status}), whatever its type`, async () => {
      vendor.answer({ status, body: '<html>', headers: { 'content-type': 'text/html', 'retry-after': '7' } });
      const answer = await upstream.send(ask());
      assert.equal(answer.status, status);
      assert.equal(answer.kind, 'other');
      assert.equal(answer.headers['retry-after'], '7');
    });
  }
});

describe('a vendor that fails', () => {
  const faults: [VendorFault, string, number][] = [
    ['refuse', 'refused', 502],
    ['reset', 'reset', 502],
    ['half', 'truncated', 502],
    ['half-stream', 'truncated', 502],
    ['not-http', 'bad_response', 502],
    ['malformed-stream', 'malformed_stream', 502],
    ['short-stream', 'truncated', 502],
    ['html', 'not_json', 502],
    ['redirect', 'redirected', 502],
    ['huge', 'too_large', 502],
    ['huge-told', 'too_large', 502],
    ['bomb', 'too_large', 502],
    ['half-gzip', 'truncated', 502],
    ['bad-gzip', 'bad_encoding', 502],
    ['unknown-encoding', 'bad_encoding', 502],
    ['doubled-encoding', 'bad_encoding', 502],
    ['two-encodings', 'bad_encoding', 502],
    ['odd-charset', 'bad_encoding', 502],
    ['two-types', 'bad_encoding', 502],
  ];
  for (const [fault, reason, status] of faults) {
    it(`${fault} -> ${status} ${reason}, and the next call is well`, async () => {
      await vendor.fault(fault);
      assertFault(await failure(upstream.send(ask())), reason, status);
      await vendor.reset();
      assert.equal((await upstream.send(ask())).status, 200);
    });
  }

  for (const fault of ['stall', 'stall-midway', 'slow'] as const) {
    it(`${fault} -> 504 timeout, and the vendor's call is ended`, async () => {
      const hasty = createUpstream({ timeoutMs: 150 });
      await vendor.fault(fault);
      assertFault(await failure(hasty.send(ask())), 'timeout', 504);
      assert.equal(await vendor.lastRequest().ended, 'aborted');
      await hasty.close();
    });
  }

  it('is not there: a name that does not resolve', async () => {
    // A label of 64 letters is refused by the resolver without asking the network.
    const [, lost] = createProviders({ openaiUrl: `http://${'a'.repeat(64)}.invalid` });
    assertFault(await failure(upstream.send(ask({ provider: lost! }))), 'unresolvable', 502);
  });

  it('speaks no TLS where TLS is due', async () => {
    const plain = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const [, wrong] = createProviders({ openaiUrl: `https://127.0.0.1:${await listen(plain)}` });
    assertFault(await failure(upstream.send(ask({ provider: wrong! }))), 'tls', 502);
    plain.close();
  });

  it('shows a certificate that nobody vouches for', async () => {
    const read = (name: string): Buffer =>
      readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url));
    const secure = createSecureServer({ key: read('self-signed.key'), cert: read('self-signed.crt') });
    const [, unknown] = createProviders({ openaiUrl: `https://127.0.0.1:${await listen(secure)}` });
    assertFault(await failure(upstream.send(ask({ provider: unknown! }))), 'tls', 502);
    secure.close();
  });

  it('accepts a connection and says nothing to it', async () => {
    const mute = createServer(() => {});
    const [, slow] = createProviders({ openaiUrl: `https://127.0.0.1:${await listen(mute)}` });
    const hasty = createUpstream({ connectTimeoutMs: 100 });
    assertFault(await failure(hasty.send(ask({ provider: slow! }))), 'timeout', 504);
    await hasty.close();
    mute.close();
  });

  it('stands at an address that the guard refuses, where the row is held to public ones', async () => {
    const row = { name: 'tenant', base_url: vendor.url, dialects: ['openai-chat'], guarded: true };
    const [tenant] = createProviders({ extra: [row] });
    const error = await failure(upstream.send(ask({ provider: tenant! })));
    assert.deepEqual(error.fields, { provider: 'tenant', reason: 'address_not_allowed' });
    assert.equal(vendor.requests.length, 0);
  });

  it('is asked once only: no failure is tried again', async () => {
    await upstream.send(ask());
    await vendor.reset();
    await vendor.fault('reset');
    await failure(upstream.send(ask()));
    assert.equal(vendor.requests.length, 1);
  });
});

describe('connections', () => {
  it('are used again', async () => {
    for (let i = 0; i < 10; i++) await upstream.send(ask());
    // Two, because undici rests a connection for one turn of the loop after each answer.
    assert.ok(new Set(vendor.requests.map((request) => request.clientPort)).size <= 2);
  });

  it('that the vendor has dropped while idle cost nothing: the request goes out once, on a new one', async () => {
    for (let round = 0; round < 20; round++) {
      await upstream.send(ask());
      await vendor.dropIdle();
      assert.equal((await upstream.send(ask())).status, 200);
    }
    assert.equal(vendor.requests.length, 40);
  });

  it('carry many calls at once without one waiting for another', async () => {
    await vendor.fault('stall');
    const leave = new AbortController();
    const stalled = Array.from({ length: 200 }, () =>
      upstream.send(ask({ signal: leave.signal })).catch(() => 'left'),
    );
    while (vendor.requests.length < 200) await vendor.nextRequest();
    await vendor.reset();
    assert.equal((await upstream.send(ask())).status, 200);
    leave.abort();
    assert.deepEqual(new Set(await Promise.all(stalled)), new Set(['left']));
  });
});

describe('a client that leaves', () => {
  for (const fault of ['stall', 'stall-midway', 'slow'] as const) {
    it(`ends the vendor's call at once (${fault})`, async () => {
      await vendor.fault(fault);
      const leave = new AbortController();
      const arrived = vendor.nextRequest();
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
    assert.equal(vendor.requests.length, 0);
  });

  it('while its call still waits for a connection takes it out of the queue', async () => {
    const narrow = createUpstream({ connections: 1 });
    await vendor.fault('stall');
    const [one, two] = [new AbortController(), new AbortController()];
    const arrived = vendor.nextRequest();
    const first = narrow.send(ask({ signal: one.signal }));
    const second = narrow.send(ask({ signal: two.signal }));
    await arrived;
    two.abort();
    await assert.rejects(second, { name: 'AbortError' });
    one.abort();
    await assert.rejects(first, { name: 'AbortError' });
    await vendor.reset();
    assert.equal((await narrow.send(ask())).status, 200);
    assert.equal(vendor.requests.length, 1);
    await narrow.close();
  });
});

describe('limits of the whole', () => {
  it('refuse the answer that would pass the memory for all of them, and give it back', async () => {
    const small = createUpstream({ maxAnswerBytes: 1024 * 1024, maxGatheredBytes: 256 * 1024 });
    await vendor.fault('huge');
    assertFault(await failure(small.send(ask())), 'busy', 503);
    await vendor.reset();
    assert.equal((await small.send(ask())).status, 200);
    await small.close();
  });

  it('close ends what is under way as service_unavailable, and takes no more', async () => {
    const closing = createUpstream();
    await vendor.fault('stall');
    const arrived = vendor.nextRequest();
    const sent = failure(closing.send(ask()));
    await arrived;
    await closing.close();
    assert.equal((await sent).code, 'service_unavailable');
    assert.equal((await failure(closing.send(ask()))).code, 'service_unavailable');
  });
});
