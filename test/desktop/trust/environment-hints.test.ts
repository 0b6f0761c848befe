import assert from 'node:assert/strict';
import { test } from 'node:test';
import { environmentHints, makeBundle } from '../../../apps/desktop/src/trust/environment-hints.ts';

test('Node gets only our root, all other tools all roots', () => {
  const hints = new Map(environmentHints('/root.pem', '/bundle.pem').map(({ name, value }) => [name, value]));
  assert.equal(hints.get('NODE_EXTRA_CA_CERTS'), '/root.pem');
  for (const name of ['SSL_CERT_FILE', 'CURL_CA_BUNDLE', 'REQUESTS_CA_BUNDLE', 'GIT_SSL_CAINFO']) {
    assert.equal(hints.get(name), '/bundle.pem', name);
  }
  assert.equal(makeBundle(['one\n', ' two'], 'ours\n'), 'one\ntwo\nours\n');
});
