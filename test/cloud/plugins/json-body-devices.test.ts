import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type Answer, readAnswer } from '../../support/answers.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

const MIB = 1_048_576;
let gateway: TestGateway;
let device: string;
before(async () => {
  gateway = await startGateway();
  device = await gateway.addDevice();
});
after(() => gateway.close());

const BODIES: Readonly<Record<string, (text: string) => object>> = {
  guard: (text) => ({ messages: [{ role: 'user', content: text }] }),
  'security/scan': (content) => ({ content }),
  'security/redact': (content) => ({ content }),
};

/** A body of exactly `size` bytes. */
function bodyOf(path: string, size: number): string {
  const of = BODIES[path]!;
  return JSON.stringify(of('a '.repeat(size / 2).slice(0, size - JSON.stringify(of('')).length)));
}

const send = (path: string, body: string | Uint8Array, headers: Record<string, string> = {}, key = device) =>
  readAnswer(gateway.call('POST', `/api/v1/${path}`, { key, body, headers }));

function assertTooLarge({ status, error }: Answer, what: string): void {
  assert.deepEqual(
    [status, error['code'], error['type']],
    [413, 'payload_too_large', 'invalid_request_error'],
    what,
  );
  assert.match(String(error['message']), /device .* at most 1048576 bytes/);
}

test('"a device\'s scan request takes at most 1 MiB, over it 413"', async () => {
  for (const path of Object.keys(BODIES)) {
    for (const alias of [path, `proxy/${path}`])
      assertTooLarge(await send(alias, bodyOf(path, MIB + 1)), alias);
    assert.notEqual((await send(path, bodyOf(path, MIB))).status, 413, path);
  }
  const full = await send('guard', bodyOf('guard', MIB));
  assert.equal(full.body['decision'], 'allow', full.text);
});

test('a key that belongs to no device takes more', async () => {
  const { plain } = await gateway.addKey();
  assert.equal((await send('guard', bodyOf('guard', MIB + 1), {}, plain)).status, 200);
});

test('neither compression nor a missing length bypasses the limit', async () => {
  const large = bodyOf('guard', 3 * MIB);
  assert.ok(gzipSync(large).length < MIB);
  assertTooLarge(await send('guard', gzipSync(large), { 'content-encoding': 'gzip' }), 'gzip');
  const chunked = await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request(
      `${gateway.address}/api/v1/guard`,
      { method: 'POST', headers: { 'x-api-key': device, 'content-type': 'application/json' } },
      (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += String(chunk);
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      },
    );
    sent.on('error', reject);
    sent.write(large.slice(0, 100));
    sent.end(large.slice(100));
  });
  assert.deepEqual([chunked.status, JSON.parse(chunked.text).error.code], [413, 'payload_too_large']);
});

test('a request over the limit is not counted', async () => {
  const used = async () =>
    (await readAnswer(gateway.call('GET', '/api/v1/usage/stats'))).body['requests_used'];
  const before = await used();
  await send('guard', bodyOf('guard', MIB + 1));
  assert.equal(await used(), before);
});
