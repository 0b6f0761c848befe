import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { createUnpacker } from '../../../apps/desktop/src/exchange/unpack-response.ts';

const TEXT = Buffer.from('some text '.repeat(500));

function unpack(
  packing: string,
  packed: Buffer,
): Promise<{ text: string; trailers: readonly string[] } | 'error'> {
  return new Promise((resolve) => {
    let text = '';
    const unpacker = createUnpacker(packing, {
      bytes: (bytes) => {
        text += String(Buffer.from(bytes));
      },
      end: (trailers) => resolve({ text, trailers }),
      error: () => resolve('error'),
      drain() {},
    });
    assert.ok(unpacker !== null);
    for (let i = 0; i < packed.length; i += 100) unpacker.write(packed.subarray(i, i + 100));
    unpacker.end(['x-end', '1']);
  });
}

test('decodes every encoding while it passes, with the trailers after it', async () => {
  const packed = {
    gzip: gzipSync(TEXT),
    'x-gzip': gzipSync(TEXT),
    deflate: deflateSync(TEXT),
    br: brotliCompressSync(TEXT),
    zstd: zstdCompressSync(TEXT),
  };
  for (const [packing, bytes] of Object.entries(packed)) {
    assert.deepEqual(await unpack(packing, bytes), { text: String(TEXT), trailers: ['x-end', '1'] }, packing);
  }
});

test('a truncated body or a wrong encoding is an error; an unknown encoding is not decoded', async () => {
  assert.equal(await unpack('gzip', gzipSync(TEXT).subarray(0, 30)), 'error');
  assert.equal(await unpack('br', gzipSync(TEXT)), 'error');
  const nothing = () => {};
  const events = { bytes: nothing, end: nothing, error: nothing, drain: nothing };
  assert.equal(createUnpacker('', events), null);
  assert.equal(createUnpacker('unheard-of', events), null);
});
