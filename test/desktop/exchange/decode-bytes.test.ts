import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { decodeBytes } from '../../../apps/desktop/src/exchange/decode-bytes.ts';

test('decodes every encoding; rejects a bomb, a truncated body and an unknown encoding', async () => {
  const text = Buffer.from('some text '.repeat(50));
  const packed: [string, Buffer][] = [
    ['', text],
    ['identity', text],
    ['gzip', gzipSync(text)],
    [' X-GZIP', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['zstd', zstdCompressSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
  ];
  for (const [encoding, body] of packed)
    assert.deepEqual(await decodeBytes(body, encoding, 1_000), text, encoding);
  assert.equal(await decodeBytes(brotliCompressSync(Buffer.alloc(1_000_000)), 'br', 1_000), null);
  assert.equal(await decodeBytes(gzipSync(text).subarray(0, 20), 'gzip', 1_000), null);
  assert.equal(await decodeBytes(text, 'gzip, br', 1_000), null);
});
