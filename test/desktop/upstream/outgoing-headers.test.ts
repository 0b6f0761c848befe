import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  outgoingHeaders,
  outgoingHeaders2,
  responseHeaders,
} from '../../../apps/desktop/src/upstream/outgoing-headers.ts';

test('order and spelling stay; hop-by-hop headers are removed', () => {
  const raw = [
    'Host',
    'h',
    'X-B',
    '1',
    'TE',
    'gzip',
    'x-a',
    '2',
    'Proxy-Authorization',
    'secret',
    'Upgrade',
    'h2c',
    'Expect',
    '100-continue',
  ];
  assert.deepEqual(Object.entries(outgoingHeaders(raw, {})), [
    ['Host', 'h'],
    ['X-B', '1'],
    ['x-a', '2'],
  ]);
});

test('no length is invented', () => {
  assert.equal(outgoingHeaders(['Host', 'h'], {})['content-length'], undefined);
});

test('any name in any spelling, `__proto__` included, is sent unchanged', () => {
  const names = ['Content-Length', 'content-length', 'CONTENT-LENGTH', 'cOnTeNt-LeNgTh'];
  names.push('__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__');
  for (const name of names) {
    const headers = outgoingHeaders(['Host', 'h', name, '2'], {});
    assert.deepEqual(Object.entries(headers), [
      ['Host', 'h'],
      [name, '2'],
    ]);
    const twice = outgoingHeaders([name, '2', name.toUpperCase(), '3'], {});
    const isLength = name.toLowerCase() === 'content-length';
    assert.deepEqual(Object.entries(twice), [[name, isLength ? '2' : ['2', '3']]]);
    const changed = outgoingHeaders([name, '2'], { contentLength: 5 });
    if (isLength) assert.deepEqual(Object.entries(changed), [[name, '5']]);
  }
});

test('headers that Connection names are removed, keep-alive itself stays in place', () => {
  const kept = outgoingHeaders(['Connection', 'keep-alive', 'Host', 'h'], {});
  assert.deepEqual(Object.keys(kept), ['Connection', 'Host']);
  const named = outgoingHeaders(['Connection', 'keep-alive, X-Mine', 'X-Mine', '1', 'Host', 'h'], {});
  assert.deepEqual(Object.keys(named), ['Host']);
});

test('repeated headers: kept as lines, cookies joined, a second host or length dropped', () => {
  const raw = ['X-T', 'a', 'x-t', 'b', 'cookie', 'a=1', 'cookie', 'b=2', 'Host', 'h', 'host', 'evil'];
  assert.deepEqual({ ...outgoingHeaders(raw, {}) }, { 'X-T': ['a', 'b'], cookie: 'a=1; b=2', Host: 'h' });
});

test('a rewritten body has its own length and no encoding', () => {
  const raw = ['Content-Encoding', 'gzip', 'Transfer-Encoding', 'chunked', 'Content-Length', '9'];
  const changes = { contentLength: 5, isDecoded: true };
  assert.deepEqual({ ...outgoingHeaders(raw, changes) }, { 'Content-Length': '5' });
  assert.deepEqual({ ...outgoingHeaders(raw.slice(0, 4), changes) }, { 'Content-Length': '5' });
  assert.deepEqual(
    outgoingHeaders2([':path', '/old', 'content-encoding', 'gzip', 'a', '1'], { ...changes, path: '/new' }),
    [':path', '/new', 'a', '1', 'content-length', '5'],
  );
});

test('trailers are announced only for a body that is sent in chunks', () => {
  const raw = ['Trailer', 'X-Sum', 'Transfer-Encoding', 'gzip, chunked'];
  assert.deepEqual(Object.keys(outgoingHeaders(raw, {})), ['Trailer', 'Transfer-Encoding']);
  assert.deepEqual(Object.keys(outgoingHeaders(raw, { contentLength: 5 })), ['Content-Length']);
  assert.deepEqual(Object.keys(outgoingHeaders(['trailer', 'a', 'Content-Length', '2'], {})), [
    'Content-Length',
  ]);
});

test('response headers: the same rules, in lower case for HTTP/2', () => {
  const raw = [
    ':status',
    '200',
    'X-B',
    '1',
    'Transfer-Encoding',
    'chunked',
    'Connection',
    'close',
    'set-cookie',
    'a',
    'Set-Cookie',
    'b',
  ];
  assert.deepEqual(responseHeaders(raw, false), ['X-B', '1', 'set-cookie', 'a', 'Set-Cookie', 'b']);
  assert.deepEqual(responseHeaders(raw, true), ['x-b', '1', 'set-cookie', 'a', 'set-cookie', 'b']);
});
