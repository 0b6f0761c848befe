import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { exchangeRaw, openHttp2, openTls, textOf } from '../../support/desktop/clients.ts';
import { curl, noCurl } from '../../support/desktop/curl.ts';
import { startTestStack, type TestStack } from '../../support/desktop/test-stack.ts';
import { respondWithHello } from '../../support/desktop/tls-provider.ts';

let stand: TestStack;
before(async () => {
  stand = await startTestStack();
});
after(() => stand.close());

const target = () => ({ proxyPort: stand.proxy.port, ca: stand.device.root.pem, host: 'api.openai.com' });

test("HTTP/1.1: the client's headers keep order and spelling, without those meant for the proxy", {
  skip: noCurl,
}, async () => {
  const tls = await openTls(target());
  const head = [
    'GET /a/../b//c%2e?q=%20&&z HTTP/1.1',
    'Host: api.openai.com',
    'X-Zebra: 1',
    'accept: */*',
    'User-AGENT: Odd/1.0',
    'Proxy-Connection: keep-alive',
    'X-Twice: a',
    'X-Twice: b',
    'Connection: keep-alive, X-Private',
    'X-Private: no',
    'Cookie: a=1; b=2',
  ].join('\r\n');
  const got = await exchangeRaw(tls, `${head}\r\n\r\n`, '/c%2e');
  tls.destroy();
  assert.match(got, /^HTTP\/1\.1 200 /);
  const seen = stand.testProvider.requests.at(-1);
  assert.equal(seen?.url, '/a/../b//c%2e?q=%20&&z', 'the path as it was written');
  const names = seen?.rawHeaders.filter((_, i) => i % 2 === 0);
  assert.deepEqual(names?.slice(0, 7), [
    'Host',
    'X-Zebra',
    'accept',
    'User-AGENT',
    'X-Twice',
    'X-Twice',
    'Cookie',
  ]);
  assert.equal(seen?.headers['x-private'], undefined);
  assert.equal(seen?.headers['proxy-connection'], undefined);
});

test('HTTP/2: order, trailers and pseudo headers arrive', { skip: noCurl }, async () => {
  stand.testProvider.answer((response) => {
    response.writeHead(200, { 'x-b': '1', 'x-a': '2' });
    response.write('do');
    response.addTrailers({ 'x-sum': 'abc' });
    response.end('ne');
  });
  const session = await openHttp2(target());
  const stream = session.request({ ':path': '/t?x=1', ':method': 'POST', 'x-last': '1', 'a-first': '2' });
  const trailers = once(stream, 'trailers');
  stream.end('body');
  const [headers] = await once(stream, 'response');
  assert.equal(headers['x-a'], '2');
  assert.equal(await textOf(stream), 'done');
  assert.equal((await trailers)[0]['x-sum'], 'abc');
  const seen = stand.testProvider.requests.at(-1);
  assert.equal(seen?.httpVersion, '2.0');
  assert.equal(seen?.body.toString(), 'body');
  const names = seen?.rawHeaders.filter((_, i) => i % 2 === 0).filter((name) => !name.startsWith(':'));
  assert.deepEqual(names?.slice(0, 2), ['x-last', 'a-first']);
  session.destroy();
  stand.testProvider.answer(respondWithHello);
});

test('DELETE with a body, HEAD, 204 and 304 keep their shape', { skip: noCurl }, async () => {
  const { port } = stand.proxy;
  const ca = stand.device.root.pem;
  const http1 = ['--http1.1'];
  await curl(port, ca, [
    ...http1,
    '-X',
    'DELETE',
    '-H',
    'Transfer-Encoding: chunked',
    '-d',
    'gone',
    'https://api.openai.com/x',
  ]);
  assert.equal(stand.testProvider.requests.at(-1)?.body.toString(), 'gone');
  await curl(port, ca, [...http1, '-X', 'DELETE', 'https://api.openai.com/x']);
  assert.equal(
    stand.testProvider.requests.at(-1)?.headers['content-length'],
    undefined,
    'no length is invented',
  );
  stand.testProvider.answer((response, seen) => {
    if (seen.url === '/204') response.writeHead(204).end();
    else if (seen.url === '/304') response.writeHead(304, { etag: '"1"' }).end();
    else response.writeHead(200, { 'content-length': '1234' }).end();
  });
  for (const version of ['--http1.1', '--http2']) {
    const head = await curl(port, ca, [version, '-I', 'https://api.openai.com/h']);
    assert.match(head.stdout, /content-length: 1234/i, version);
    assert.equal((await curl(port, ca, [version, 'https://api.openai.com/204'])).status, 204, version);
    assert.equal((await curl(port, ca, [version, 'https://api.openai.com/304'])).status, 304, version);
  }
  stand.testProvider.answer(respondWithHello);
});

test('Expect: 100-continue gets its response, and a large upload arrives complete', {
  skip: noCurl,
}, async () => {
  for (const version of ['--http1.1', '--http2']) {
    // The stand-in's HTTP/2 reads an upload in small pieces.
    const body = Buffer.alloc(version === '--http2' ? 500_000 : 5_000_000, 'ab\ncd ');
    const sent = await curl(
      stand.proxy.port,
      stand.device.root.pem,
      [
        version,
        '-H',
        'Expect: 100-continue',
        '-H',
        'Content-Type: image/png',
        '--data-binary',
        '@-',
        'https://api.openai.com/upload',
      ],
      body,
    );
    assert.equal(sent.status, 200, sent.stderr);
    assert.ok(stand.testProvider.requests.at(-1)?.body.equals(body), version);
  }
});

test('a reused connection that the provider has closed does not count as a dead provider', {
  skip: noCurl,
}, async () => {
  const tls = await openTls(target());
  const ask = (path: string) =>
    exchangeRawKeep(tls, `GET ${path} HTTP/1.1\r\nHost: api.openai.com\r\n\r\n`, path);
  assert.match(await ask('/one'), /200 OK/);
  stand.testProvider.cut();
  assert.match(await ask('/two'), /200 OK/);
  tls.destroy();
});

test('an unreachable provider gives a 502 that says so', { skip: noCurl }, async () => {
  const dead = await startTestStack();
  await dead.testProvider.close();
  for (const version of ['--http1.1', '--http2']) {
    const answer = await curl(dead.proxy.port, dead.device.root.pem, [version, 'https://api.openai.com/']);
    assert.equal(answer.status, 502, version);
    assert.match(answer.stdout, /api\.openai\.com could not be reached/);
  }
  await dead.close().catch(() => {});
});

async function exchangeRawKeep(
  socket: import('node:stream').Duplex,
  text: string,
  until: string,
): Promise<string> {
  let got = '';
  const done = Promise.withResolvers<void>();
  const onData = (chunk: Buffer) => {
    got += String(chunk);
    if (got.includes(until)) done.resolve();
  };
  socket.on('data', onData);
  socket.once('close', done.resolve);
  socket.write(text);
  await done.promise;
  socket.off('data', onData);
  return got;
}
