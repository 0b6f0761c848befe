import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { after, afterEach, before, describe, it } from 'node:test';
import { createServer as createSecureServer } from 'node:tls';
import { createProviders } from '../../../apps/cloud/src/upstream/providers.ts';
import {
  createUpstream,
  type Upstream,
  type UpstreamOptions,
} from '../../../apps/cloud/src/upstream/send.ts';
import { type CompanyProxy, startCompanyProxy } from '../../support/company-proxy.ts';
import { startTestProvider, type TestProvider } from '../../support/test-provider.ts';
import {
  assertUpstreamError,
  chatRequest,
  failure,
  listen,
  ODD_BODY,
  providersAt,
} from '../../support/upstream-call.ts';

/** A name that no resolver knows: only the proxy can connect to it. */
const FAR = 'http://provider.invalid';

let testProvider: TestProvider;
let proxy: CompanyProxy;
let upstream: Upstream;

function open(options: UpstreamOptions): Upstream {
  upstream = createUpstream({ timeoutMs: 60_000, connectTimeoutMs: 30_000, ...options });
  return upstream;
}

before(async () => {
  testProvider = await startTestProvider();
  proxy = await startCompanyProxy({
    leadTo: (authority) =>
      authority === 'provider.invalid:80' ? Number(new URL(testProvider.url).port) : null,
    credentials: 'gateway:p@ss word',
  });
});
afterEach(async () => {
  await upstream.close();
  proxy.asked.length = 0;
  await testProvider.reset();
});
after(async () => {
  await proxy.close();
  await testProvider.close();
});

/** A certificate of no trusted authority. */
function untrusted(): { readonly key: Buffer; readonly cert: Buffer } {
  const read = (name: string): Buffer => readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url));
  return { key: read('self-signed.key'), cert: read('self-signed.crt') };
}

/** The URL as an admin writes it. */
const withPassword = (): string => proxy.url.replace('p@ss word', 'p%40ss%20word');

describe('an outbound proxy', () => {
  it('connects to providers by CONNECT, with its password, and keeps connections', async () => {
    const { openai } = providersAt(FAR);
    const { send } = open({ proxy: { url: withPassword() } });
    for (let n = 0; n < 10; n++) assert.equal((await send(chatRequest(openai))).status, 200);
    assert.deepEqual([...new Set(proxy.asked)], ['CONNECT provider.invalid:80']);
    assert.ok(proxy.asked.length <= 2, `10 calls one after the other took ${proxy.asked.length} connections`);
    const seen = testProvider.requests.at(-1)!;
    assert.ok(seen.body.equals(ODD_BODY), 'the provider got the bytes that were sent');
    assert.equal(seen.headers['proxy-authorization'], undefined);
  });

  it('is bypassed for hosts that are to be reached without it', async () => {
    const { openai } = providersAt(testProvider.url);
    const { send } = open({ proxy: { url: withPassword(), bypass: 'example.com, 127.0.0.1' } });
    assert.equal((await send(chatRequest(openai))).status, 200);
    assert.deepEqual(proxy.asked, []);
  });

  it('is bypassed for guarded providers, whose addresses are checked here', async () => {
    const row = { name: 'own', base_url: testProvider.url, dialects: ['openai-chat'], guarded: true };
    const [guarded] = createProviders({ extra: [row] });
    const { send } = open({ proxy: { url: withPassword() } });
    assert.equal((await failure(send(chatRequest(guarded!)))).fields?.['reason'], 'address_not_allowed');
    assert.deepEqual(proxy.asked, []);
  });
});

describe('an outbound proxy that fails', () => {
  it('is reported if it rejects a host', async () => {
    const { openai } = providersAt('http://elsewhere.invalid');
    const { send } = open({ proxy: { url: withPassword() } });
    assertUpstreamError(await failure(send(chatRequest(openai))), 'proxy', 502);
  });

  it('is reported if it rejects the password', async () => {
    const { openai } = providersAt(FAR);
    const { send } = open({ proxy: { url: `http://gateway:wrong@127.0.0.1:${proxy.port}` } });
    assertUpstreamError(await failure(send(chatRequest(openai))), 'proxy', 502);
  });

  it('is reported if it does not listen, or its name is unknown', async () => {
    const { openai } = providersAt(FAR);
    const silent = createServer();
    const port = await listen(silent);
    await new Promise((resolve) => silent.close(resolve));
    // The resolver rejects a label of 64 letters without asking the network.
    for (const url of [`http://127.0.0.1:${port}`, `http://${'a'.repeat(64)}.invalid:3128`]) {
      const { send, close } = open({ proxy: { url } });
      assertUpstreamError(await failure(send(chatRequest(openai))), 'proxy', 502);
      await close();
    }
  });

  it('is reported if it hangs up on a CONNECT, and is not asked again', async () => {
    let requestCount = 0;
    const rude = createServer((socket) => {
      requestCount++;
      socket.on('error', () => {});
      socket.once('data', () => socket.destroy());
    });
    const port = await listen(rude);
    const { openai } = providersAt(FAR);
    const { send } = open({ proxy: { url: `http://127.0.0.1:${port}` } });
    assertUpstreamError(await failure(send(chatRequest(openai))), 'proxy', 502);
    assert.equal(requestCount, 1);
    rude.close();
  });

  it('times out if it never answers a CONNECT', async () => {
    const silent = createServer((socket) => socket.on('error', () => {}));
    const port = await listen(silent);
    const { openai } = providersAt(FAR);
    const { send } = open({
      proxy: { url: `http://127.0.0.1:${port}` },
      timeoutMs: 60_000,
      connectTimeoutMs: 200,
    });
    assertUpstreamError(await failure(send(chatRequest(openai))), 'timeout', 504);
    silent.close();
  });

  it('is reported if its own certificate is of no trusted authority', async () => {
    const secure = createSecureServer(untrusted());
    const { openai } = providersAt(FAR);
    const { send } = open({ proxy: { url: `https://127.0.0.1:${await listen(secure)}` } });
    assertUpstreamError(await failure(send(chatRequest(openai))), 'proxy', 502);
    secure.close();
  });

  it('is not blamed for a provider with a certificate of no trusted authority', async () => {
    const secure = createSecureServer(untrusted());
    const port = await listen(secure);
    const everywhere = await startCompanyProxy({ leadTo: () => port });
    const { openai } = providersAt('https://provider.invalid');
    const { send } = open({ proxy: { url: everywhere.url } });
    assertUpstreamError(await failure(send(chatRequest(openai))), 'tls', 502);
    secure.close();
    await everywhere.close();
  });
});
