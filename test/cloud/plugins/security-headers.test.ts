import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startGateway } from '../../support/gateway.ts';

test('answers are not sniffed, cached or framed; https is insisted on where it is served', async (t) => {
  const plain = await startGateway();
  const secure = await startGateway({ env: { PUBLIC_URL: 'https://gateway.example.com' } });
  t.after(() => Promise.all([plain.close(), secure.close()]));
  for (const path of ['/', '/nowhere', '/api/v1/projects']) {
    const { headers } = await plain.call('GET', path);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('x-frame-options'), 'DENY');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.equal(headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'");
    assert.equal(headers.get('strict-transport-security'), null);
    assert.equal(headers.get('server'), null);
    assert.equal(headers.get('x-powered-by'), null);
  }
  const { headers } = await secure.call('GET', '/');
  assert.match(headers.get('strict-transport-security') ?? '', /max-age=31536000/);
});
