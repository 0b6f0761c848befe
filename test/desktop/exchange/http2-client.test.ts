import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { http2Client } from '../../../apps/desktop/src/exchange/http2-client.ts';

test('of trailers that came over HTTP/1.1 those go on that HTTP/2 can send', async () => {
  const raw = ['Connection', 'close', 'Transfer-Encoding', 'chunked', 'TE', 'trailers', 'Keep-Alive', '1'];
  raw.push('Upgrade', 'h2c', ':status', '200', '__proto__', '1', 'X-End', 'caf\u00e9', 'Host', 'h');
  const server = createServer().listen(0, '127.0.0.1');
  server.on('stream', (stream, headers, _flags, rawHeaders: string[]) => {
    const client = http2Client(stream, headers, rawHeaders);
    client.respond({ status: 200, statusMessage: '', rawHeaders: [], headers: {} }, [], false);
    client.end(raw);
  });
  await once(server, 'listening');
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const stream = session.request({ ':path': '/' }).resume();
  const [trailers] = await once(stream, 'trailers');
  const { __proto__: own, ...others } = { ...trailers };
  assert.deepEqual([Object.keys(others).sort(), own], [['host', 'x-end'], '1']);
  session.close();
  server.close();
});
