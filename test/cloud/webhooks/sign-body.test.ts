import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signatureHeaders, signBody } from '../../../apps/cloud/src/webhooks/sign-body.ts';

test('computes HMAC-SHA-256 over the bytes, as RFC 4231 does', () => {
  const body = Buffer.from('what do ya want for nothing?');
  assert.equal(
    signBody(body, 'Jefe'),
    'sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  );
});

test('signs with the current secret in the known header, and with the previous one in a header of its own', () => {
  const body = Buffer.from('{}');
  assert.deepEqual(signatureHeaders(body, []), {});
  assert.deepEqual(Object.keys(signatureHeaders(body, ['a'])), ['X-Service-Signature']);
  assert.deepEqual(signatureHeaders(body, ['new', 'old']), {
    'X-Service-Signature': signBody(body, 'new'),
    'X-Service-Signature-Previous': signBody(body, 'old'),
  });
});
