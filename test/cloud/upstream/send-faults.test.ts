import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { after, afterEach, before, describe, it } from 'node:test';
import { createServer as createSecureServer } from 'node:tls';

import type { Provider } from '../../../apps/cloud/src/upstream/provider.ts';
import { createProviders } from '../../../apps/cloud/src/upstream/providers.ts';
import {
  createUpstream,
  type Upstream,
  type UpstreamRequest,
} from '../../../apps/cloud/src/upstream/send.ts';
import { type ProviderFault, startTestProvider, type TestProvider } from '../../support/test-provider.ts';
import {
  assertUpstreamError,
  chatRequest,
  failure,
  listen,
  providersAt,
} from '../../support/upstream-call.ts';

const openaiAt = (url: string) => (name: string) => (name === 'openai' ? url : undefined);

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

describe('a provider that fails', () => {
  const faults: [ProviderFault, string, number][] = [
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
    it(`${fault} -> ${status} ${reason}, and the next call succeeds`, async () => {
      await testProvider.fault(fault);
      assertUpstreamError(await failure(upstream.send(ask())), reason, status);
      await testProvider.reset();
      assert.equal((await upstream.send(ask())).status, 200);
    });
  }

  it('redirects with any status from 300 to 399: nothing is followed, and it is no response', async () => {
    for (const status of [300, 301, 302, 303, 304, 305, 307, 308, 399]) {
      const elsewhere = { location: 'http://127.0.0.1:9/elsewhere', 'content-type': 'application/json' };
      testProvider.answer({ status, headers: elsewhere, ...(status === 304 ? {} : { body: '{"id":"x"}' }) });
      assertUpstreamError(await failure(upstream.send(ask())), 'redirected', 502);
    }
  });

  for (const fault of ['stall', 'stall-midway', 'slow'] as const) {
    it(`${fault} -> 504 timeout, and the provider's call is ended`, async () => {
      await testProvider.fault(fault);
      // On a busy machine the time may be up before the request has arrived: it gets more until it does.
      for (let timeoutMs = 150; testProvider.requests.length === 0; timeoutMs *= 2) {
        const hasty = createUpstream({ timeoutMs });
        assertUpstreamError(await failure(hasty.send(ask())), 'timeout', 504);
        await hasty.close();
      }
      assert.equal(await testProvider.lastRequest().ended, 'aborted');
    });
  }

  it('has a name that does not resolve', async () => {
    // The resolver rejects a label of 64 letters without asking the network.
    const [, lost] = createProviders({ urlOf: openaiAt(`http://${'a'.repeat(64)}.invalid`) });
    assertUpstreamError(await failure(upstream.send(ask({ provider: lost! }))), 'unresolvable', 502);
  });

  it('does not speak TLS although it should', async () => {
    const plain = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const [, wrong] = createProviders({ urlOf: openaiAt(`https://127.0.0.1:${await listen(plain)}`) });
    assertUpstreamError(await failure(upstream.send(ask({ provider: wrong! }))), 'tls', 502);
    plain.close();
  });

  it('has a certificate of no trusted authority', async () => {
    const read = (name: string): Buffer =>
      readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url));
    const secure = createSecureServer({ key: read('self-signed.key'), cert: read('self-signed.crt') });
    const [, unknown] = createProviders({ urlOf: openaiAt(`https://127.0.0.1:${await listen(secure)}`) });
    assertUpstreamError(await failure(upstream.send(ask({ provider: unknown! }))), 'tls', 502);
    secure.close();
  });

  it('accepts a connection and stays silent', async () => {
    const mute = createServer(() => {});
    const [, slow] = createProviders({ urlOf: openaiAt(`https://127.0.0.1:${await listen(mute)}`) });
    const hasty = createUpstream({ connectTimeoutMs: 100 });
    assertUpstreamError(await failure(hasty.send(ask({ provider: slow! }))), 'timeout', 504);
    await hasty.close();
    mute.close();
  });

  it('is at an address that the guard denies, and its row is guarded', async () => {
    const row = { name: 'tenant', base_url: testProvider.url, dialects: ['openai-chat'], guarded: true };
    const [tenant] = createProviders({ extra: [row] });
    const error = await failure(upstream.send(ask({ provider: tenant! })));
    assert.deepEqual(error.fields, { provider: 'tenant', reason: 'address_not_allowed' });
    assert.equal(testProvider.requests.length, 0);
  });

  it('is called only once: no failure is retried', async () => {
    await upstream.send(ask());
    await testProvider.reset();
    await testProvider.fault('reset');
    await failure(upstream.send(ask()));
    assert.equal(testProvider.requests.length, 1);
  });
});
