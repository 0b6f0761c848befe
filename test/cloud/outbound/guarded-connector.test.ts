import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { request } from 'undici';
import { AddressDenied } from '../../../apps/cloud/src/outbound/address-denied.ts';
import { type GuardRules, guardedDispatcher } from '../../../apps/cloud/src/outbound/guarded-connector.ts';
import type { Resolve } from '../../../apps/cloud/src/outbound/resolve-checked.ts';

const seen: string[] = [];
const server = createServer((req, res) => {
  seen.push(`${req.headers.host}${req.url}`);
  if (req.url === '/to-inner') res.writeHead(302, { location: 'http://127.0.0.1/secret' });
  res.end('inner secret');
});
let port = 0;
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as { port: number }).port;
});
after(() => server.close());

const answers =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

/** Fetches through the guard, and returns why it was denied, or `ok`. */
async function fetchThrough(url: string, rules: GuardRules): Promise<string> {
  const dispatcher = guardedDispatcher({ ports: [port], connectTimeoutMs: 30_000, ...rules });
  try {
    const answer = await request(url, { dispatcher });
    await answer.body.text();
    return 'ok';
  } catch (error) {
    return error instanceof AddressDenied ? error.reason : `failed: ${String(error)}`;
  } finally {
    await dispatcher.destroy();
  }
}

describe('the guarded connector', () => {
  it('connects to no inner address, by whatever name or number', async () => {
    seen.length = 0;
    assert.equal(await fetchThrough(`http://127.0.0.1:${port}/`, {}), 'private_address');
    assert.equal(await fetchThrough(`http://[::1]:${port}/`, {}), 'private_address');
    assert.equal(await fetchThrough(`http://[::ffff:127.0.0.1]:${port}/`, {}), 'private_address');
    assert.equal(await fetchThrough(`http://localhost:${port}/`, {}), 'private_name');
    const rules = { resolve: answers('127.0.0.1') };
    assert.equal(await fetchThrough(`http://rebind.example.com:${port}/`, rules), 'private_address');
    assert.equal(await fetchThrough(`https://rebind.example.com:${port}/`, rules), 'private_address');
    assert.deepEqual(seen, []);
  });

  it('denies a name as soon as one of its addresses is an inner one', async () => {
    for (const inner of [
      '127.0.0.1',
      '::1',
      '169.254.169.254',
      '::ffff:10.0.0.1',
      'fd00::1',
      '0.0.0.0',
      'fe80::1%lo',
    ]) {
      const resolve = answers('93.184.215.14', inner, '2606:4700::1111');
      assert.equal(
        await fetchThrough(`http://mixed.example.com:${port}/`, { resolve }),
        'private_address',
        inner,
      );
    }
  });

  it('reports a name that does not resolve', async () => {
    assert.equal(
      await fetchThrough(`http://gone.example.com:${port}/`, { resolve: answers() }),
      'unresolvable',
    );
    const resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    assert.equal(await fetchThrough(`http://gone.example.com:${port}/`, { resolve }), 'unresolvable');
  });

  it('denies ports that are not listed', async () => {
    const rules = { ports: [443], resolve: answers('93.184.215.14') };
    assert.equal(await fetchThrough(`http://example.com:${port}/`, rules), 'port');
  });

  it('resolves a name once and connects to the checked address, though the resolver changes its mind', async () => {
    let requestCount = 0;
    const rebinding: Resolve = async () => {
      requestCount++;
      return [{ address: requestCount === 1 ? '192.0.2.1' : '127.0.0.1', family: 4 }];
    };
    seen.length = 0;
    // 192.0.2.1 stands for a public address here: allowPrivate accepts it, and no server responds there.
    const got = await fetchThrough(`http://rebind.example.com:${port}/`, {
      allowPrivate: true,
      resolve: rebinding,
      connectTimeoutMs: 100,
    });
    assert.match(got, /^failed: /);
    assert.equal(requestCount, 1);
    assert.deepEqual(seen, []);
  });

  it('pins the address, and keeps the requested name in Host', async () => {
    seen.length = 0;
    const rules = { allowPrivate: true, resolve: answers('127.0.0.1') };
    assert.equal(await fetchThrough(`http://pinned.example.com:${port}/x`, rules), 'ok');
    assert.deepEqual(seen, [`pinned.example.com:${port}/x`]);
  });

  it('follows no redirect', async () => {
    seen.length = 0;
    const rules = { allowPrivate: true, resolve: answers('127.0.0.1') };
    assert.equal(await fetchThrough(`http://pinned.example.com:${port}/to-inner`, rules), 'ok');
    assert.equal(seen.length, 1);
  });
});
