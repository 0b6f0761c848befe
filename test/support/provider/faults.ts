import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

/** Faults of a provider after it has read the request; the server itself implements `refuse`. */
export const FAULTS = {
  /** Closes the connection before the first byte of the response. */
  reset: (res) => res.socket?.destroy(),
  /** Never responds. */
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
  /** Ends a stream properly, but in the middle of its content. */
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
  /** Continues until the client stops reading. */
  huge: (res) => {
    res.writeHead(200, json).write('{"id":"');
    const more = (): void => {
      while (!res.destroyed && res.write(FILLER));
    };
    res.on('drain', more);
    more();
  },
  /** Declares in advance that it is too large. */
  'huge-told': (res) => res.writeHead(200, { ...json, 'content-length': 1024 ** 3 }).write('{"id":"'),
  /** A byte every 50 ms, endlessly: no pause is long, but the whole is. */
  slow: (res) => {
    res.writeHead(200, sse);
    const timer = setInterval(() => res.write(': wait\n\n'), 50);
    res.on('close', () => clearInterval(timer));
  },
  /** 20 MB of spaces in 20 KB. */
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
