import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import type { Socket } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import {
  ATTACK,
  assertDocumentedRejection,
  chat,
  HARMLESS,
  type HostileTarget,
  JSON_TYPE,
  MAX_TURN_MS,
  PATH,
  startHostileTarget,
} from './hostile-target.ts';
import { exchange, open } from './raw-http.ts';

describe('hostile HTTP', () => {
  let target: HostileTarget;
  before(async () => {
    target = await startHostileTarget();
  });
  after(() => target.close());
  beforeEach(() => target.testProvider.reset());

  test('ambiguous body lengths are rejected', async () => {
    const chunked = `${HARMLESS.length.toString(16)}\r\n${HARMLESS}\r\n0\r\n\r\n`;
    const hidden = `0\r\n\r\nPOST ${PATH} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const length = `Content-Length: ${HARMLESS.length}`;
    const bad = (headers: string[], body: string) =>
      [400, 'invalid_request', target.requestOf([JSON_TYPE, ...headers], body)] as const;
    await target.holdAll({
      'Content-Length and Transfer-Encoding': bad([length, 'Transfer-Encoding: chunked'], hidden),
      'Transfer-Encoding and Content-Length': bad(['Transfer-Encoding: chunked', length], hidden),
      'the same length twice': bad([length, length], HARMLESS),
      'two lengths': bad([length, 'Content-Length: 3'], HARMLESS),
      'a list of lengths': bad([`${length}, ${HARMLESS.length}`], HARMLESS),
      'a length with a sign': bad([`Content-Length: +${HARMLESS.length}`], HARMLESS),
      'a negative length': bad(['Content-Length: -1'], HARMLESS),
      'a length in hex': bad(['Content-Length: 0x10'], HARMLESS),
      'a length past every number': bad([`Content-Length: ${'9'.repeat(30)}`], HARMLESS),
      'an unknown coding': bad(['Transfer-Encoding: xchunked'], chunked),
      'a coding after chunked': bad(['Transfer-Encoding: chunked, identity'], chunked),
      'a coding before chunked': bad(['Transfer-Encoding: gzip, chunked'], chunked),
      'chunked twice in one': bad(['Transfer-Encoding: chunked, chunked'], chunked),
      'chunked twice': bad(['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], chunked),
      'an empty coding': bad(['Transfer-Encoding: '], chunked),
      'a blank before the colon': bad(['Transfer-Encoding : chunked'], chunked),
      'a control character before the coding': bad(['Transfer-Encoding: \x0bchunked'], chunked),
      'quotes around the coding': bad(['Transfer-Encoding: "chunked"'], chunked),
      'a chunk that is no number': bad(['Transfer-Encoding: chunked'], `zz\r\n${HARMLESS}\r\n0\r\n\r\n`),
      'a chunk of 2^64 bytes': bad(['Transfer-Encoding: chunked'], `${'f'.repeat(17)}\r\n${HARMLESS}`),
      'a chunk that is longer than it says': bad(
        ['Transfer-Encoding: chunked'],
        `2\r\n${HARMLESS}\r\n0\r\n\r\n`,
      ),
      'chunks that end in bare line feeds': bad(['Transfer-Encoding: chunked'], chunked.replaceAll('\r', '')),
      'extensions without end': bad(
        ['Transfer-Encoding: chunked'],
        `2;${'x'.repeat(40_000)}\r\n{}\r\n0\r\n\r\n`,
      ),
    });
  });

  test('ambiguous headers are rejected', async () => {
    const bad = (...headers: string[]) =>
      [400, 'invalid_request', target.requestOf([JSON_TYPE, ...headers], HARMLESS)] as const;
    const raw = (text: string) => [400, 'invalid_request', Buffer.from(text, 'latin1')] as const;
    await target.holdAll({
      'two hosts': bad('Host: a.test', 'Host: b.test'),
      'no host': bad('Host: absent'),
      'an empty host': bad('Host: '),
      'a path in the host': bad('Host: a.test/../b'),
      'a name in the host': bad('Host: admin@a.test'),
      'a blank in the host': bad('Host: a.test b.test'),
      'two content types': bad('Content-Type: text/plain'),
      'two content encodings': bad('Content-Encoding: identity', 'Content-Encoding: gzip'),
      'two service keys': bad('X-API-Key: a', 'x-api-key: b'),
      'two provider keys': bad('Authorization: Bearer a', 'Authorization: Bearer b'),
      'two idempotency keys': bad('Idempotency-Key: a', 'Idempotency-Key: b'),
      'a folded line': bad('X-Note: a\r\n b'),
      'NUL in a header': bad('X-Note: a\0b'),
      'a line feed in a header': bad('X-Note: a\nX-API-Key: b'),
      'a blank in a name': bad('X Note: a'),
      'a name that is none': bad(': a'),
      'a line without a colon': bad('X-Note'),
      'an odd Expect': bad('Expect: 200-maybe'),
      'a header of 20,000 letters': bad(`X-Note: ${'a'.repeat(20_000)}`),
      '3,000 headers': bad(...Array.from({ length: 3_000 }, (_, i) => `X-${i}: a`)),
      'bare line feeds': raw(target.requestOf([JSON_TYPE], HARMLESS).toString('latin1').replaceAll('\r', '')),
      'an unknown method': raw(`HACK ${PATH} HTTP/1.1\r\nHost: x\r\n\r\n`),
      'a method in lower case': raw(`post ${PATH} HTTP/1.1\r\nHost: x\r\n\r\n`),
      'HTTP/0.9': raw(`GET ${PATH}\r\n\r\n`),
      'HTTP/2 in the clear': raw('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
      'HTTP/3.7': raw(`GET ${PATH} HTTP/3.7\r\nHost: x\r\n\r\n`),
      'a TLS handshake': raw('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'),
      'another protocol': raw('SSH-2.0-OpenSSH_9.2\r\n\r\n'),
    });
  });

  test('other spellings of an address reach the same route or none', async () => {
    const spellings: Readonly<Record<string, number>> = {
      [`http://evil.test${PATH}`]: 403,
      [`https://evil.test${PATH}`]: 403,
      [`HTTP://EVIL.TEST:80${PATH}?x=1`]: 403,
      [`${PATH}?x=/../../y`]: 403,
      '/%61pi/v1/chat/completions': 403,
      '/api/v1/chat/completion%73': 403,
      [`${PATH}/`]: 404,
      [`${PATH}%00`]: 404,
      [`${PATH};a=b`]: 404,
      [`${PATH}%3fx`]: 404,
      [`${PATH}%20`]: 404,
      [`${PATH}.json`]: 404,
      [`/${PATH}`]: 404,
      '/api//v1/chat/completions': 404,
      '/api%2fv1%2fchat%2fcompletions': 404,
      '/api/v1/chat%2fcompletions': 404,
      '/api/v1/./chat/completions': 404,
      '/api/v1/x/../chat/completions': 404,
      '/api/v1/x/%2e%2e/chat/completions': 404,
      '/docs/..%2f..%2fetc/passwd': 404,
      '/docs/static/%2e%2e/%2e%2e/package.json': 404,
      '/API/V1/CHAT/COMPLETIONS': 404,
      '/api/v1/proxy/proxy/chat/completions': 404,
      [`${PATH}#x`]: 400,
      [`${PATH}%zz`]: 400,
      [`${PATH}%ff`]: 400,
      '/api/v1/api-keys/%ff/toggle': 400,
      'api/v1/chat/completions': 400,
      '\\api\\v1\\chat\\completions': 400,
      '*': 400,
      'file:///etc/passwd': 400,
      'http://': 400,
      '/api/v1/ch\xe4t': 400,
      [`${PATH}?${'a'.repeat(20_000)}`]: 400,
      [`/${'a/'.repeat(4_000)}`]: 404,
      [`/api/v1/api-keys/${'a'.repeat(300)}/toggle`]: 404,
    };
    const codes: Readonly<Record<number, string>> = {
      400: 'invalid_request',
      403: 'request_blocked',
      404: 'not_found',
    };
    for (const [path, status] of Object.entries(spellings)) {
      const method = path.startsWith('/docs') ? 'GET' : path.endsWith('/toggle') ? 'PUT' : 'POST';
      const { answers } = await target.send([JSON_TYPE], chat(ATTACK), { path, method });
      // Below a provider's address, other addresses belong to the provider too, and are not served.
      const isProviders = status === 404 && (answers[0]?.body.includes('unsupported_route') ?? false);
      assertDocumentedRejection(
        answers[0],
        status,
        isProviders ? 'unsupported_route' : codes[status]!,
        path.slice(0, 80),
      );
      if (status === 403) assert.equal(answers[0]?.headers['x-service-decision'], 'block', path);
    }
    assert.equal(target.testProvider.requests.length, 0);
  });

  test('CONNECT opens no tunnel, and Upgrade switches to no other protocol', async () => {
    const tunnel = await exchange(
      target.gateway.address,
      `CONNECT ${new URL(target.testProvider.url).host} HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n`,
      { answers: Number.POSITIVE_INFINITY },
    );
    assert.deepEqual([tunnel.closed, tunnel.text], [true, '']);
    const upgraded = await target.send(
      [JSON_TYPE, 'Upgrade: websocket', 'Connection: Upgrade'],
      chat(ATTACK),
    );
    assert.ok((upgraded.answers[0]?.status ?? 0) >= 400, upgraded.text.slice(0, 200));
    assert.equal(target.testProvider.requests.length, 0);
  });

  test('unsupported methods get 405 with the allowed ones, or 404 for unknown addresses, and no echo', async () => {
    const others = ['POST', 'OPTIONS', 'CONNECT', 'HEAD'];
    for (const method of METHODS.filter((name) => !others.includes(name))) {
      const known = await target.send(['X-Note: secret'], '', { method });
      const answer = known.answers[0];
      assert.deepEqual([answer?.status, answer?.headers['allow']], [405, 'POST'], method);
      assert.ok(!known.text.includes('secret'), method);
      assertDocumentedRejection(answer, 405, 'method_not_allowed', method);
      const unknown = await target.send([], '', { method, path: '/api/v1/nowhere' });
      assert.equal(unknown.answers[0]?.status, 404, method);
    }
    const body = await target.send([JSON_TYPE], chat(ATTACK), { method: 'TRACE' });
    assert.equal(body.answers[0]?.status, 405, body.text);
    assert.equal(target.testProvider.requests.length, 0);
  });

  test('pipelined requests get their responses in order, each with its own verdict', async () => {
    const kinds = [HARMLESS, chat(ATTACK), HARMLESS, chat(ATTACK), '{'];
    const all = Buffer.concat(kinds.map((body) => target.requestOf([JSON_TYPE], body)));
    const { answers } = await exchange(target.gateway.address, all, { answers: kinds.length });
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 403, 200, 403, 400],
    );
    assert.equal(new Set(answers.map(({ headers }) => headers['x-request-id'])).size, kinds.length);
    assert.equal(target.testProvider.requests.length, 2);
  });

  test('data after a rejected head is never parsed as a request', async () => {
    const smuggled = target.requestOf([JSON_TYPE], HARMLESS).toString('latin1');
    const head = [JSON_TYPE, 'Content-Length: 4', 'Transfer-Encoding: chunked'];
    const { answers, closed } = await exchange(
      target.gateway.address,
      Buffer.concat([target.requestOf(head, `0\r\n\r\n${smuggled}`)]),
      { answers: 2 },
    );
    assert.deepEqual([answers.length, answers[0]?.status, closed], [1, 400, true]);
    assert.equal(target.testProvider.requests.length, 0);
  });

  test('half-closed connections are closed, and half a request is never processed', async () => {
    // A half-closed client looks like one that left, so its call may be dropped.
    const whole = await exchange(target.gateway.address, target.requestOf([JSON_TYPE], HARMLESS), {
      end: true,
    });
    assert.ok(whole.closed && whole.answers.every(({ status }) => status === 200), whole.text);
    const half = target.requestOf([JSON_TYPE, `Content-Length: ${HARMLESS.length + 50}`], HARMLESS);
    const cut = await exchange(target.gateway.address, half, { end: true });
    assertDocumentedRejection(cut.answers[0], 400, 'invalid_request', 'half a body');
    const head = await exchange(target.gateway.address, `POST ${PATH} HTTP/1.1\r\nHost: x\r\nX-`, {
      answers: Number.POSITIVE_INFINITY,
      end: true,
    });
    assert.deepEqual([head.answers.map(({ status }) => status), head.closed], [[400], true]);
    const nothing = await exchange(target.gateway.address, '', { end: true });
    assert.deepEqual([nothing.text, nothing.closed], ['', true]);
    assert.ok(target.testProvider.requests.every(({ body }) => body.toString() === HARMLESS));
  });

  test('endless heads and bodies get a 408, and no other request waits for them', async () => {
    const slow: Socket[] = Array.from({ length: 100 }, () => open(target.gateway.address));
    for (const [i, socket] of slow.entries()) {
      socket.on('error', () => {});
      socket.write(
        i % 2 === 0
          ? `POST ${PATH} HTTP/1.1\r\nHost: x\r\nX-Note: a`
          : target.requestOf([JSON_TYPE, 'Content-Length: 9999'], '{"messages":['),
      );
    }
    const first = await Promise.all([...slow.slice(0, 2)].map((socket) => readAll(socket)));
    for (const text of first) assert.match(text, /^HTTP\/1\.1 408 .*"code":"request_timeout"/s);
    assert.equal((await target.send([JSON_TYPE], HARMLESS)).answers[0]?.status, 200);
    for (const socket of slow) socket.destroy();
    assert.equal(target.testProvider.requests.length, 1);
  });

  test('with 1,000 idle connections and 200 aborted ones others are served as before', async () => {
    const idle = await Promise.all(
      Array.from({ length: 1_000 }, () => connected(open(target.gateway.address))),
    );
    await target.gateway.longestTurnMs();
    for (let i = 0; i < 200; i++) {
      const socket = await connected(open(target.gateway.address));
      socket.write(target.requestOf([JSON_TYPE, 'Content-Length: 500'], '{"messages":['));
      socket.resetAndDestroy();
    }
    for (let i = 0; i < 20; i++) {
      assert.equal((await target.send([JSON_TYPE], HARMLESS)).answers[0]?.status, 200);
    }
    const turnMs = await target.gateway.longestTurnMs();
    assert.ok(
      turnMs < Math.max(MAX_TURN_MS, 2 * (await target.gateway.referenceMs())),
      `the loop was blocked for ${turnMs} ms`,
    );
    for (const socket of idle) socket.destroy();
  });
});

function connected(socket: Socket): Promise<Socket> {
  socket.on('error', () => {});
  return new Promise((resolve) => socket.once('connect', () => resolve(socket)));
}

function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  return new Promise((resolve) => socket.once('end', () => resolve(text)).once('close', () => resolve(text)));
}
