import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { HttpHeaders } from '../upstream/open-request.ts';
import { responseHeaders, trailers2 } from '../upstream/outgoing-headers.ts';
import { type ClientEnd, replyHeaders } from './client-end.ts';

export function http2Client(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  rawHeaders: readonly string[],
): ClientEnd {
  let received: readonly string[] = [];
  let sent: readonly string[] = [];
  let isWhole = stream.endAfterHeaders;
  let onBytes: (bytes: Uint8Array) => void = () => {};
  // Clients may disconnect at any time.
  stream.on('error', () => {});
  stream.on('trailers', (_headers, _flags, raw?: string[]) => {
    received = raw ?? [];
  });
  stream.on('wantTrailers', () => stream.sendTrailers(trailers2(sent)));
  return {
    head: {
      version: '2.0',
      method: headers[':method'] ?? 'GET',
      path: headers[':path'] ?? '/',
      authority: headers[':authority'] ?? headers.host ?? '',
      rawHeaders,
      headers: headers as HttpHeaders,
      hasBody: !stream.endAfterHeaders && headers['content-length'] !== '0',
      expectsContinue: headers.expect === '100-continue',
    },
    listen({ bytes, end, gone, drain }) {
      onBytes = bytes;
      stream.on('end', () => {
        isWhole = true;
        end(received);
      });
      stream.on('drain', drain);
      stream.on('close', () => {
        if (!isWhole || !stream.writableFinished || stream.rstCode !== 0) gone();
      });
    },
    read() {
      if (stream.listenerCount('data') === 0) stream.on('data', onBytes);
      stream.resume();
    },
    pause: () => void stream.pause(),
    drop: () => void stream.off('data', onBytes).resume(),
    sendContinue: () => stream.additionalHeaders({ ':status': 100 }),
    respond(head, without) {
      if (stream.destroyed) return;
      const lines = responseHeaders(head.rawHeaders, true, without);
      // Node's types lack `sendDate`.
      const options: object = { sendDate: false, waitForTrailers: true };
      stream.respond([':status', String(head.status), ...lines], options);
    },
    write: (bytes) => stream.destroyed || stream.write(bytes),
    end(trailers) {
      sent = trailers;
      stream.end();
    },
    reply(reply) {
      if (stream.headersSent || stream.destroyed) return;
      stream.respond({ ':status': reply.status, ...replyHeaders(reply) });
      stream.end(reply.body);
    },
    // Closing the stream without an error would look like a complete response.
    break() {
      if (!stream.destroyed) stream.destroy(new Error('the upstream connection broke'));
    },
  };
}
