import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { test } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { bytesSource, decodeBytes, gather, pairsOf } from '../../../apps/desktop/src/proxy/body-bytes.ts';

test('gathered whole, up to the limit, or broken', async () => {
  const from = (...parts: string[]) =>
    Readable.from(
      parts.map((part) => Buffer.from(part)),
      { objectMode: false },
    );
  assert.deepEqual(await gather(from('ab', 'cd'), 4), { kind: 'whole', bytes: Buffer.from('abcd') });
  const large = from('ab', 'cd', 'ef');
  assert.equal((await gather(large, 3)).kind, 'too-large');
  let rest = '';
  for await (const chunk of large) rest += String(chunk);
  assert.equal(rest, 'ef', 'the rest is still there');
  const broken = new PassThrough();
  const gathered = gather(broken, 100);
  broken.write('half');
  broken.destroy(new Error('gone'));
  assert.equal((await gathered).kind, 'broken');
});

test('every packing is undone; a bomb, half a body and an unknown one are not', async () => {
  const text = Buffer.from('some text '.repeat(50));
  const packed: [string | undefined, Buffer][] = [
    [undefined, text],
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

test('a source of bytes can be sent again', () => {
  const source = bytesSource(Buffer.from('x'));
  for (let i = 0; i < 2; i++) {
    const out = new PassThrough();
    source.pipe(out);
    assert.equal(String(out.read()), 'x');
  }
  assert.deepEqual(pairsOf(['a', '1', 'b', '2']), [
    ['a', '1'],
    ['b', '2'],
  ]);
});
