import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

/** What a provider can do wrong after it has read the request; `refuse` is done by the server itself. */
export const FAULTS = {
  /** Closes the connection before a byte of the answer. */
  reset: (res) => res.socket?.destroy(),
  /** Never answers. */
  stall: () => {},
  /** Sends the head and one byte, then nothing. */
  'stall-midway': (res) => res.writeHead(200, { ...json, 'content-length': 1000 }).write('{'),
  /** Promises more bytes than it sends, then closes. */
  half: (res) => {
    res.writeHead(200, { ...json, 'content-length': 1000 });
    res.write('{"id":"half","choices":[', () => res.socket?.destroy());
  },
  /** Ends a chunked stream without its last chunk. */
  'half-stream': (res) => {
    res.writeHead(200, sse);
    res.write('event: message_start\ndata: {"type":"message_start","message":{"id"', () =>
      res.socket?.destroy(),
    );
  },
  /** Ends a stream properly, in the middle of what it had to say. */
  'short-stream': (res) => {
    res
      .writeHead(200, sse)
      .end('data: {"id":"x","object":"chat.completion.chunk","choices":[{"index":0,"del');
  },
  'not-json': (res) => res.writeHead(200, json).end('<html><body>It works!</body></html>'),
  html: (res) => res.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Log in</body></html>'),
  'malformed-stream': (res) =>
    res.writeHead(200, sse).end('event: message_start\ndata: {not json\n\ndata: {]}\n\n'),
  'not-http': (res) => res.socket?.end('SSH-2.0-OpenSSH_9.2\r\n\r\n'),
  empty: (res) => res.writeHead(200, json).end(),
  redirect: (res) => res.writeHead(307, { location: 'http://127.0.0.1:9/elsewhere' }).end(),
  /** Goes on until the client has had enough. */
  huge: (res) => {
    res.writeHead(200, json).write('{"id":"');
    const more = (): void => {
      while (!res.destroyed && res.write(FILLER));
    };
    res.on('drain', more);
    more();
  },
  /** Says first that it is too large. */
  'huge-told': (res) => res.writeHead(200, { ...json, 'content-length': 1024 ** 3 }).write('{"id":"'),
  /** A drop every 50 ms, for ever: no wait between bytes is long, the whole is. */
  slow: (res) => {
    res.writeHead(200, sse);
    const timer = setInterval(() => res.write(': wait\n\n'), 50);
    res.on('close', () => clearInterval(timer));
  },
  /** 20 MB of blanks in 20 KB. */
  bomb: (res) => res.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(BOMB()),
  'half-gzip': (res) =>
    res.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(BOMB().subarray(0, 500)),
  'bad-gzip': (res) => res.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end('this is not gzip'),
  'unknown-encoding': (res) => res.writeHead(200, { ...json, 'content-encoding': 'rot13' }).end('{}'),
  'doubled-encoding': (res) => res.writeHead(200, { ...json, 'content-encoding': 'gzip, gzip' }).end('{}'),
  'two-encodings': (res) =>
    res.writeHead(200, ['content-encoding', 'gzip', 'content-encoding', 'br']).end('{}'),
  'odd-charset': (res) => res.writeHead(200, { 'content-type': 'application/json; charset=utf-7' }).end('{}'),
  'two-types': (res) => {
    res.writeHead(200, ['content-type', 'application/json', 'content-type', 'text/event-stream']).end('{}');
  },
} as const satisfies Record<string, (res: ServerResponse) => unknown>;

export type ProviderFault = keyof typeof FAULTS | 'refuse';

const json = { 'content-type': 'application/json' };
const sse = { 'content-type': 'text/event-stream' };
const FILLER = Buffer.alloc(64 * 1024, 'x');
const BOMB = (): Buffer => gzipSync(Buffer.alloc(20 * 1024 * 1024, ' '));
