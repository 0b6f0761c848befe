import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createPinningTracker,
  isCertificateRejection,
} from '../../../apps/desktop/src/proxy/pinning-tracker.ts';

const HOUR = 3_600_000;

test('two refusals of one app: tunnelled for an hour, for this host and this app', () => {
  const pinning = createPinningTracker();
  assert.equal(pinning.isWatched('a', 0), false);
  assert.equal(pinning.rejected('a', null, 0), null);
  assert.equal(pinning.isWatched('a', 1), true);
  assert.equal(pinning.rejected('a', '/bin/app', 1), 1 + HOUR, 'the one without a known process counts, too');
  assert.ok(pinning.isPinned('a', '/bin/app', 2));
  assert.ok(!pinning.isPinned('a', '/bin/other', 2));
  assert.ok(!pinning.isPinned('b', '/bin/app', 2));
  assert.ok(!pinning.isPinned('a', '/bin/app', 1 + HOUR));
  assert.ok(!pinning.isPinned('a', '/bin/app', -24 * HOUR), 'a clock set back is no longer freedom');
});

test('a handshake that works clears the count; refusals long apart do not add up', () => {
  const pinning = createPinningTracker();
  pinning.rejected('a', '/bin/app', 0);
  pinning.accepted('a', '/bin/app');
  assert.equal(pinning.rejected('a', '/bin/app', 1), null);
  assert.equal(pinning.rejected('a', '/bin/app', 1 + HOUR), null);
});

test('only words about certificates are refusals', () => {
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
