import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createPinningTracker,
  isCertificateRejection,
} from '../../../apps/desktop/src/proxy/pinning-tracker.ts';

const HOUR = 3_600_000;

test('two rejections by one app tunnel this host for this app for an hour', () => {
  const pinning = createPinningTracker();
  assert.equal(pinning.isWatched('a', 0), false);
  assert.equal(pinning.rejected('a', null, 0), null);
  assert.equal(pinning.isWatched('a', 1), true);
  assert.equal(
    pinning.rejected('a', '/bin/app', 1),
    1 + HOUR,
    'the rejection without a known process counts, too',
  );
  assert.ok(pinning.isPinned('a', '/bin/app', 2));
  assert.ok(!pinning.isPinned('a', '/bin/other', 2));
  assert.ok(!pinning.isPinned('b', '/bin/app', 2));
  assert.ok(!pinning.isPinned('a', '/bin/app', 1 + HOUR));
  assert.ok(!pinning.isPinned('a', '/bin/app', -24 * HOUR), 'setting the clock back does not extend it');
});

test('a successful handshake resets the count; rejections far apart do not add up', () => {
  const pinning = createPinningTracker();
  pinning.rejected('a', '/bin/app', 0);
  pinning.accepted('a', '/bin/app');
  assert.equal(pinning.rejected('a', '/bin/app', 1), null);
  assert.equal(pinning.rejected('a', '/bin/app', 1 + HOUR), null);
});

test('only errors about certificates count as rejections', () => {
  const error = (code: string) => Object.assign(new Error('x'), { code });
  for (const code of [
    'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
    'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_UNKNOWN',
    'ECONNRESET',
  ]) {
    assert.ok(isCertificateRejection(error(code)), code);
  }
  assert.ok(!isCertificateRejection(error('ERR_SSL_UNSUPPORTED_PROTOCOL')));
  assert.ok(!isCertificateRejection(new Error('the client left')));
});
