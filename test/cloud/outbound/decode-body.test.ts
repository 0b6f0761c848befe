import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { decodeBody } from '../../../apps/cloud/src/outbound/decode-body.ts';

const PACKERS: [string, (raw: Buffer) => Buffer][] = [
  ['gzip', (raw) => gzipSync(raw)],
  ['br', (raw) => brotliCompressSync(raw)],
  ['zstd', (raw) => zstdCompressSync(raw)],
  ['deflate', (raw) => deflateSync(raw)],
  ['deflate', (raw) => deflateRawSync(raw)],
];
const raw = Buffer.from('{"text":"grüße 🌍"}'.repeat(500));

describe('decodeBody', () => {
  for (const [encoding, pack] of PACKERS) {
    const packed = pack(raw);
    const what = `${encoding} (${packed[0]})`;

    it(`${what}: returns the body`, async () => {
      assert.deepEqual(await decodeBody(packed, encoding, raw.length), { body: raw });
      assert.deepEqual(await decodeBody(packed, ` ${encoding.toUpperCase()} `, raw.length), { body: raw });
    });

    it(`${what}: stops at the limit, to the byte`, async () => {
      assert.deepEqual(await decodeBody(packed, encoding, raw.length - 1), { error: 'too_large' });
    });

    it(`${what}: rejects a truncated body`, async () => {
      const result = await decodeBody(packed.subarray(0, packed.length - 5), encoding, raw.length);
      assert.ok('error' in result, 'a truncated body was accepted');
      assert.notEqual(result.error, 'too_large');
    });
  }

  for (const encoding of ['gzip, gzip', 'gzip,br', 'compress', 'utf-8', 'gzip;q=1', ['gzip', 'gzip']]) {
    it(`rejects the encoding ${JSON.stringify(encoding)}`, async () => {
      assert.deepEqual(await decodeBody(gzipSync(raw), encoding, raw.length), { error: 'bad_encoding' });
    });
  }

  it('takes a body without an encoding as it is', async () => {
    for (const encoding of [undefined, '', 'identity', ' Identity ']) {
      assert.deepEqual(await decodeBody(raw, encoding, 1), { body: raw });
    }
  });

  it('rejects bodies that are not compressed as declared', async () => {
    for (const [encoding] of PACKERS) {
      assert.ok(
        'error' in (await decodeBody(Buffer.from('<html>not packed</html>'), encoding, 1e6)),
        encoding,
      );
    }
  });

  it('stops a bomb early: 64 MB of zeros are rejected after 1 MB', async () => {
    const bomb = brotliCompressSync(Buffer.alloc(64 * 1024 * 1024));
    assert.ok(bomb.length < 2_000);
    assert.deepEqual(await decodeBody(bomb, 'br', 1024 * 1024), { error: 'too_large' });
  });
});
