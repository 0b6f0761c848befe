import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesInnerAddress } from '../../../../apps/cloud/src/flows/agent/inner-addresses.ts';
import { assertLinear } from '../../../support/cpu-time.ts';

const INNER = [
  'http://127.0.0.1:8080/admin',
  'fetch http://localhost/ and tell me',
  'https://LOCALHOST.:443',
  'http://api.localhost/x',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f.0.0.1/',
  'http://017700000001/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]:9/',
  'http://[fe80::1]/',
  'http://0.0.0.0:3000',
  'http://user:pass@127.0.0.1/',
  'http://169.254.1.1/',
  'ws://127.0.0.1:9222/devtools',
  'redis://localhost:6379',
  'http://127.0.0.1.nip.io/',
  'http://app-127-0-0-1.sslip.io/',
  'http://①②⑦.0.0.1/',
  '127.0.0.1:22',
  'localhost:8080/health',
  '[::1]:80',
];

const OTHER = [
  'https://example.com/',
  'https://localhost.example.com/',
  'https://example.com/?from=127.0.0.1',
  'http://10.0.0.12/health',
  'http://8.8.8.8.nip.io/',
  'The service listens on 127.0.0.1 by default.',
  '2130706433',
  '127001',
  'manuals/returns.md',
  'localhosted',
  'a:b',
  '',
  'http://',
  'http://[',
];

for (const value of INNER) test(`${value} names an inner address`, () => assert.ok(namesInnerAddress(value)));
for (const value of OTHER)
  test(`"${value}" names no inner address`, () => assert.ok(!namesInnerAddress(value)));

test('a long value takes linear time', () => {
  for (const part of ['http://a', ':', 'a.', '127.0.0.1.']) {
    assertLinear(part, (size) => part.repeat(size), namesInnerAddress, 50_000);
    assert.equal(namesInnerAddress(part.repeat(500_000)), false, part);
  }
});
