import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAddressList, parseRange } from '../../../apps/cloud/src/flows/address-list.ts';

test('addresses and ranges are parsed strictly', () => {
  for (const [text, bits] of [
    ['192.0.2.7', null],
    [' 192.0.2.0/24 ', 24],
    ['2001:db8::/48', 48],
    ['::1', null],
    ['128.0.0.0/1', 1],
    ['192.0.2.7/32', 32],
    ['2001:db8::7/128', 128],
  ] as const) {
    assert.equal(parseRange(text)?.bits, bits, text);
  }
  for (const text of [
    '',
    '192.0.2',
    '0300.0.2.7',
    '192.0.2.0/33',
    '0.0.0.0/0',
    '::/0',
    '2001:db8::/129',
    '192.0.2.0/',
    '192.0.2.0/24/24',
    'fe80::1%eth0',
    'example.com',
    '192.0.2.0-192.0.2.9',
  ]) {
    assert.equal(parseRange(text), null, text);
  }
});

test('a list contains what is in its ranges, also as IPv4-mapped IPv6, and nothing else', () => {
  const list = createAddressList(['192.0.2.0/24', '198.51.100.7', '2001:db8::/48']);
  for (const address of ['192.0.2.255', '198.51.100.7', '2001:db8:0:ffff::1', '::ffff:192.0.2.9']) {
    assert.equal(list?.has(address), true, address);
  }
  for (const address of ['192.0.3.0', '198.51.100.8', '2001:db8:1::1', '::ffff:192.0.3.9', '', 'unknown']) {
    assert.equal(list?.has(address), false, address);
  }
});

test('an empty list restricts nothing; one without a readable entry admits no address', () => {
  assert.equal(createAddressList([]), null);
  assert.equal(createAddressList(['nonsense'])?.has('192.0.2.1'), false);
});
