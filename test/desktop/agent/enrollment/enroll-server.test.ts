import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readServer } from '../../../../apps/desktop/src/agent/enrollment/enroll.ts';

test('accepts https anywhere, and http only on this computer', () => {
  assert.equal(readServer('https://Gateway.example.com/'), 'https://gateway.example.com');
  assert.equal(readServer('https://gateway.example.com/csg/'), 'https://gateway.example.com/csg');
  for (const here of [
    'http://127.0.0.1:8787',
    'http://localhost:8787',
    'http://[::1]:8787',
    'http://127.8.9.1',
  ]) {
    assert.equal(readServer(here), here);
  }
  for (const plain of [
    'http://gateway.example.com',
    'HTTP://10.0.0.5:8787',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'http://[::2]',
  ]) {
    assert.throws(() => readServer(plain), /is not encrypted, .* Use https/, plain);
  }
});

test('rejects what is not the address of a service', () => {
  for (const odd of [
    '',
    'gateway.example.com',
    'ftp://gateway.example.com',
    'https://user@gateway.example.com',
    'https://:password@gateway.example.com',
    'https://gateway.example.com/?a=b',
    'https://gateway.example.com/#a',
    'https://',
  ]) {
    assert.throws(() => readServer(odd), /is not the URL of a service/, odd);
  }
});
