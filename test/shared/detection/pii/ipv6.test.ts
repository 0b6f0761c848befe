import assert from 'node:assert/strict';
import { test } from 'node:test';
import { piiSpans } from '@csg/shared/detection';

const found = (text: string) =>
  piiSpans(text, ['ip_address']).map(({ start, end }) => text.slice(start, end));

test('the loopback address is an address, the step of a slice is not', () => {
  for (const text of ['connect ECONNREFUSED ::1:3001', 'http://[::1]:8080/', '"::1"', 'bind = ::1'])
    assert.deepEqual(found(text), ['::1'], text);
  for (const text of ['rows[::1]', 'x[:, ::1]', 'f(x)[::1, 0]', 'Miró::1', 'std::1', '::1.2', 'a:::1'])
    assert.deepEqual(found(text), [], text);
});

test('the zone of a link-local address belongs to it', () => {
  for (const [text, address] of [
    ['ping fe80::1%eth0', 'fe80::1%eth0'],
    ['http://[fe80::1%25en0]/', 'fe80::1%25en0'],
    ['via fe80::a1b2:c3d4%wlan0.', 'fe80::a1b2:c3d4%wlan0'],
    ['fe80::1%', 'fe80::1'],
    ['2a02:1234::1%eth0', '2a02:1234::1'],
  ] as const)
    assert.deepEqual(found(text), [address], text);
});
