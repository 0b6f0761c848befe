import assert from 'node:assert/strict';
import { test } from 'node:test';
import { welcomeText } from '../../apps/cloud/src/welcome-text.ts';

test('a first start tells the address, the key and a command that can be pasted', () => {
  const text = welcomeText({
    address: 'http://127.0.0.1:8787',
    firstKey: 'svc_live_abcdefgh_x',
    dashboard: 'http://127.0.0.1:8787/dashboard/',
    setUp: 'http://127.0.0.1:8787/dashboard/set-up?token=abc',
    color: false,
  });
  assert.match(text, /running at http:\/\/127\.0\.0\.1:8787/);
  assert.match(text, /svc_live_abcdefgh_x/);
  assert.match(text, /\/dashboard\/set-up\?token=abc\n/);
  assert.match(text, /curl -s http:\/\/127\.0\.0\.1:8787\/api\/v1\/security\/scan/);
  assert.ok(!text.includes('\u001b'), 'no colour where none was asked for');
});

test('a later start shows no key', () => {
  const text = welcomeText({
    address: 'http://127.0.0.1:8787',
    firstKey: null,
    dashboard: 'http://127.0.0.1:8787/dashboard/',
    setUp: null,
    color: false,
  });
  assert.match(text, /http:\/\/127\.0\.0\.1:8787\/dashboard\/\n/);
  assert.ok(!text.includes('set-up'));
  assert.ok(!text.includes('svc_live_'));
});
