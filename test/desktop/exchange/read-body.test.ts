import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readRequestBody } from '../../../apps/desktop/src/exchange/read-body.ts';

const kindOf = async (body: string | Buffer, type?: string, encoding?: string) => {
  const headers = {
    ...(type !== undefined && { 'content-type': type }),
    ...(encoding !== undefined && { 'content-encoding': encoding }),
  };
  return (await readRequestBody(Buffer.from(body), headers)).kind;
};

test('detects the kind by headers, and by content if they name none', async () => {
  assert.equal(await kindOf(''), 'none');
  assert.equal(await kindOf('{}', 'application/json; charset=utf-8'), 'json');
  assert.equal(await kindOf('{}', 'application/vnd.api+json'), 'json');
  assert.equal(await kindOf('{}', 'application/x-ndjson'), 'json');
  assert.equal(await kindOf('a=1', 'application/x-www-form-urlencoded'), 'form');
  assert.equal(
    await kindOf(' {"a":1}', 'text/plain;charset=UTF-8'),
    'json',
    'beacons declare text and send JSON',
  );
  assert.equal(
    await kindOf('words', 'application/octet-stream'),
    'text',
    'uploads declare bytes and send text',
  );
  assert.equal(await kindOf('[1]'), 'json');
  assert.equal(await kindOf(Buffer.from([0, 1, 2]), 'application/octet-stream'), 'opaque');
  assert.equal(await kindOf(gzipSync('{}'), 'application/json', 'gzip'), 'json');
});

test('an unreadable body is marked as such', async () => {
  assert.equal(await kindOf('{}', 'application/json', 'odd'), 'unreadable');
  assert.equal(await kindOf('+AHs-', 'application/json; charset=utf-7'), 'unreadable');
  assert.equal(await kindOf(Buffer.from([0xff]), 'text/plain'), 'unreadable');
  assert.equal(await kindOf('--x', 'multipart/form-data; boundary=b'), 'unreadable');
});

test('splits a form with files into its parts', async () => {
  const text =
    '--b\r\nContent-Disposition: form-data; name="q"\r\n\r\nhello\r\n--b\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\nwords\r\n--b--\r\n';
  const body = await readRequestBody(Buffer.from(text), {
    'content-type': 'multipart/form-data; boundary=b',
  });
  assert.deepEqual(body.kind === 'parts' && body.parts, [
    { name: 'q', fileName: null, text: 'hello' },
    { name: 'f', fileName: 'a.txt', text: 'words' },
  ]);
});
