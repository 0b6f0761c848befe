import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf } from '../../../apps/cloud/src/limits/network-of.ts';

test('an IPv6 network of 64 bits counts as one, an IPv4 address as itself', () => {
  assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), networkOf('2001:db8:1:2:ffff::1'));
  assert.notEqual(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:3::1'));
  assert.equal(networkOf('192.0.2.7'), '192.0.2.7');
  assert.equal(networkOf('::ffff:192.0.2.7'), '192.0.2.7');
  assert.equal(networkOf('::ffff:c000:207'), '192.0.2.7');
  assert.equal(networkOf('unknown'), 'unknown');
});
