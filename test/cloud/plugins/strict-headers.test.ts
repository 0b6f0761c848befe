import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

describe('ambiguous requests', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway();
  });
  after(() => gateway.close());

  const send = async (lines: readonly string[], body: string) => {
    const socket = connect(Number(new URL(gateway.address).port), '127.0.0.1');
    let received = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      received += chunk;
    });
    socket.write(
      `POST /api/v1/security/scan HTTP/1.1\r\n${lines.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`,
    );
    await new Promise((resolve) => socket.once('close', resolve));
    return received;
  };
  const BODY = '{"content":"hello"}';
  const usual = () => [
    'Host: x',
    `X-API-Key: ${gateway.key}`,
    'Content-Type: application/json',
    `Content-Length: ${BODY.length}`,
  ];

  test('with a NUL character in the path or the query are rejected', async () => {
    const get = (path: string) => gateway.call('GET', path);
    assert.equal((await get('/api/v1/exceptions/%00')).status, 404);
    const query = await get('/api/v1/exceptions?cursor=a%00');
    assert.equal(query.status, 400);
    assert.match(await query.text(), /"code":"invalid_request"/);
    assert.equal((await get('/api/v1/exceptions?cursor=a%2500')).status, 200);
  });

  test('with an impossible port or a NUL character in Host are rejected', async () => {
    for (const host of ['a:99999', 'a:65536', 'a%00', 'a%0', 'a%zz', 'a b', '[::1]:70000'])
      assert.match(await send([`Host: ${host}`, ...usual().slice(1)], BODY), /^HTTP\/1\.1 400 /, host);
    for (const host of ['a:65535', 'a:', 'a%20b', '[::1]:80'])
      assert.match(await send([`Host: ${host}`, ...usual().slice(1)], BODY), /^HTTP\/1\.1 200 /, host);
  });

  test('with a repeated header are rejected', async () => {
    assert.match(await send(usual(), BODY), /^HTTP\/1\.1 200 /);
    for (const extra of [
      'Host: y',
      'X-API-Key: svc_live_other',
      'Content-Type: text/plain',
      `Content-Length: ${BODY.length}`,
      'content-encoding: identity\r\nContent-Encoding: gzip',
      'authorization: Bearer a\r\nAuthorization: Bearer b',
      'Idempotency-Key: a\r\nidempotency-key: b',
    ]) {
      const answer = await send([...usual(), extra], BODY);
      assert.match(answer, /^HTTP\/1\.1 400 /, extra);
    }
  });

  test('with an odd Transfer-Encoding are rejected, and chunked ones are read', async () => {
    const chunked = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
    const without = usual().slice(0, 3);
    assert.match(await send([...without, 'Transfer-Encoding: chunked'], chunked), /^HTTP\/1\.1 200 /);
    for (const coding of ['gzip, chunked', 'chunked, chunked', 'xchunked', 'identity']) {
      const answer = await send([...without, `Transfer-Encoding: ${coding}`], chunked);
      assert.match(answer, /^HTTP\/1\.1 400 /, coding);
    }
    assert.match(await send([...usual(), 'Transfer-Encoding: chunked'], chunked), /^HTTP\/1\.1 400 /);
  });
});
