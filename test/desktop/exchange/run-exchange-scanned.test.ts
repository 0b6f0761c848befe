import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { curl, noCurl } from '../../support/desktop/curl.ts';
import { startTestStack, testPolicy } from '../../support/desktop/test-stack.ts';

const stand = await startTestStack();
after(() => stand.close());
beforeEach(() => {
  stand.events.length = 0;
  stand.configure({ policy: testPolicy() });
});

const ask = (version = '--http2') =>
  curl(stand.proxy.port, stand.device.root.pem, [
    version,
    '-N',
    '--compressed',
    '-H',
    'content-type: application/json',
    '-d',
    '{"messages":[{"role":"user","content":"hello there"}]}',
    'https://api.openai.com/v1/chat/completions',
  ]);
// Assembled here, so that no file contains a whole one.
const KEY = ['sk', 'live', '51H8xQ2eZvKYlo2CzT9mNb4Rw7Gd'].join('_');

for (const packed of [false, true]) {
  test(`a response that reveals a key is held back (${packed ? 'packed' : 'plain'})`, {
    skip: noCurl,
  }, async () => {
    const text = JSON.stringify({
      choices: [{ message: { role: 'assistant', content: `use ${KEY} there` } }],
    });
    stand.testProvider.answer((response) => {
      response.writeHead(200, {
        'content-type': 'application/json',
        ...(packed && { 'content-encoding': 'gzip' }),
      });
      response.end(packed ? gzipSync(text) : text);
    });
    const got = await ask();
    assert.equal(got.status, 403);
    assert.doesNotMatch(got.stdout, new RegExp(KEY));
    assert.match(got.stdout, /The response was blocked/);
    assert.deepEqual([stand.events[0]?.direction, stand.events[0]?.done], ['output', 'blocked']);
  });
}

for (const version of ['--http1.1', '--http2']) {
  test(`a stream that reveals a key is replaced by an error (${version})`, {
    skip: noCurl,
  }, async () => {
    const pieces = ['use ', KEY.slice(0, 9), KEY.slice(9), ' there', ' and so on'];
    stand.testProvider.answer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const content of pieces) {
        response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
      }
      response.end('data: [DONE]\n\n');
    });
    const got = await ask(version);
    assert.equal(got.code, 0, got.stderr);
    assert.doesNotMatch(got.stdout, /"use |AKIA/);
    assert.match(got.stdout, /event: error\ndata: .*The response was blocked/);
    assert.doesNotMatch(got.stdout, /and so on/);
  });
}

test('a device in monitor mode lets the stream continue and reports it once', { skip: noCurl }, async () => {
  stand.configure({ policy: testPolicy({ mode: 'monitor' }) });
  stand.testProvider.answer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`data: {"choices":[{"index":0,"delta":{"content":"use ${KEY}"}}]}\n\ndata: [DONE]\n\n`);
  });
  assert.match((await ask()).stdout, /\[DONE\]/);
  assert.equal(stand.events.length, 1);
});

for (const version of ['--http1.1', '--http2']) {
  test(`a response that breaks off partway breaks off at the client, too (${version})`, {
    skip: noCurl,
  }, async () => {
    const text = JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'half of it' } }] });
    stand.testProvider.answer((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length + 50 });
      response.write(text);
      setImmediate(() => stand.testProvider.cut());
    });
    const got = await ask(version);
    assert.notEqual(got.code, 0, 'part of a response must not look complete');
    assert.doesNotMatch(got.stdout, /half of it/);
  });
}
