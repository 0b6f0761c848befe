import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { after, before, test } from 'node:test';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { openHttp2, openTls } from '../../support/desktop/clients.ts';
import { curl, noCurl } from '../../support/desktop/curl.ts';
import { startTestStack, type TestStack, testPolicy } from '../../support/desktop/test-stack.ts';

let stand: TestStack;
before(async () => {
  stand = await startTestStack();
});
after(() => stand.close());

const target = () => ({ proxyPort: stand.proxy.port, ca: stand.device.root.pem, host: 'api.openai.com' });
const VERSIONS = ['--http1.1', '--http2'];

for (const version of VERSIONS) {
  test(`a provider that dies partway causes a failed download (${version})`, { skip: noCurl }, async () => {
    for (const headers of [{ 'content-length': '1000' }, {}, { 'content-type': 'text/event-stream' }]) {
      stand.testProvider.answer((response) => {
        response.writeHead(200, headers as never);
        response.write('data: half\n\n', () => setImmediate(() => stand.testProvider.cut()));
      });
      const got = await curl(stand.proxy.port, stand.device.root.pem, [
        version,
        '-N',
        'https://api.openai.com/v1/x',
      ]);
      assert.notEqual(got.code, 0, `${version} ${JSON.stringify(headers)} must not look complete`);
      const asked = [
        '-H',
        'content-type: application/json',
        '-d',
        '{"messages":[{"role":"user","content":"hello there"}]}',
      ];
      const path = 'https://api.openai.com/v1/chat/completions';
      const posted = await curl(stand.proxy.port, stand.device.root.pem, [version, '-N', ...asked, path]);
      assert.notEqual(posted.code, 0, `${version} ${JSON.stringify(headers)} after a prompt`);
    }
  });
}

test('the first words of a live stream arrive before the rest is sent', { skip: noCurl }, async (t) => {
  stand.configure({ policy: testPolicy({ streaming: 'live' }) });
  t.after(() => stand.configure({ policy: testPolicy() }));
  for (const packed of [false, true]) {
    const release = Promise.withResolvers<void>();
    stand.testProvider.answer(async (response) => {
      response.writeHead(200, {
        'content-type': 'text/event-stream',
        ...(packed && { 'content-encoding': 'gzip' }),
      });
      const { createGzip, constants } = await import('node:zlib');
      const out = packed ? createGzip({ flush: constants.Z_SYNC_FLUSH }) : response;
      if (out !== response) out.pipe(response);
      out.write('data: {"choices":[{"index":0,"delta":{"content":"The first words of it "}}]}\n\n');
      await release.promise;
      out.end('data: [DONE]\n\n');
    });
    const session = await openHttp2(target());
    const stream = session.request({
      ':path': '/v1/chat/completions',
      ':method': 'POST',
      'content-type': 'application/json',
    });
    stream.end('{"stream":true,"messages":[{"role":"user","content":"hello there"}]}');
    const [first] = await once(stream, 'data');
    assert.match(String(first), /first/, packed ? 'packed' : 'plain');
    release.resolve();
    let rest = '';
    for await (const chunk of stream) rest += String(chunk);
    assert.match(rest, /\[DONE\]/);
    session.destroy();
  }
});

test('responses of every encoding pass unchanged', { skip: noCurl }, async () => {
  const text = '{"choices":[{"message":{"role":"assistant","content":"Good day."}}],"n":9007199254740993}';
  const bodies = {
    gzip: gzipSync(text),
    br: brotliCompressSync(text),
    zstd: zstdCompressSync(Buffer.from(text)),
  };
  for (const [encoding, body] of Object.entries(bodies)) {
    stand.testProvider.answer((response) => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-encoding': encoding,
        'X-Odd-Case': '1',
      });
      response.end(body);
    });
    const asked = [
      '-H',
      'content-type: application/json',
      '-d',
      '{"messages":[{"role":"user","content":"hello there"}]}',
    ];
    const got = await curl(stand.proxy.port, stand.device.root.pem, [
      '--compressed',
      ...asked,
      'https://api.openai.com/v1/chat/completions',
    ]);
    assert.equal(got.stdout, text, encoding);
  }
});

test("HTTP/1.1: the provider's headers keep order, spelling and repetitions", { skip: noCurl }, async () => {
  stand.testProvider.answer((response) => {
    response.writeHead(200, [
      'X-B',
      '1',
      'set-cookie',
      'a=1',
      'X-a',
      '2',
      'set-cookie',
      'b=2',
      'Content-Length',
      '2',
    ]);
    response.end('ok');
  });
  const tls = await openTls(target());
  tls.write('GET /h HTTP/1.1\r\nHost: api.openai.com\r\n\r\n');
  let got = '';
  for await (const chunk of tls) {
    got += String(chunk);
    if (got.endsWith('ok')) break;
  }
  const lines = got.split('\r\n').slice(1, 6);
  assert.deepEqual(lines, ['X-B: 1', 'set-cookie: a=1', 'X-a: 2', 'set-cookie: b=2', 'Content-Length: 2']);
});

test('when a client leaves, the request to the provider ends', { skip: noCurl }, async () => {
  const left = Promise.withResolvers<void>();
  stand.testProvider.answer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: x\n\n');
    response.once('close', () => left.resolve());
  });
  const session = await openHttp2(target());
  const stream = session.request({ ':path': '/v1/stream' });
  await once(stream, 'data');
  stream.close(8);
  await left.promise;
  const tls = await openTls(target());
  const leftToo = Promise.withResolvers<void>();
  stand.testProvider.answer((response) => {
    response.write('begun');
    response.once('close', () => leftToo.resolve());
  });
  tls.write('GET /s HTTP/1.1\r\nHost: api.openai.com\r\n\r\n');
  await once(tls, 'data');
  tls.destroy();
  await leftToo.promise;
  session.destroy();
});

test('when the connection of an HTTP/2 client ends without a reset, the request to the provider ends', {
  skip: noCurl,
}, async () => {
  for (const end of ['end', 'destroy'] as const) {
    const left = Promise.withResolvers<void>();
    stand.testProvider.answer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: x\n\n');
      response.once('close', () => left.resolve());
    });
    const tls = await openTls(target(), ['h2']);
    const session = connectHttp2('https://api.openai.com', { createConnection: () => tls });
    session.on('error', () => {});
    const stream = session.request({ ':path': '/v1/stream' });
    stream.on('error', () => {});
    await once(stream, 'data');
    // As a killed process: the socket closes, and no frame says why.
    tls[end]();
    await left.promise;
    session.destroy();
  }
});
