import type { IncomingMessage, ServerResponse } from 'node:http';
import { headerPairs } from '../upstream/open-request.ts';
import { hasChunks, responseHeaders } from '../upstream/outgoing-headers.ts';
import { type ClientEnd, replyHeaders } from './client-end.ts';

export function http1Client(
  request: IncomingMessage,
  response: ServerResponse,
  expectsContinue: boolean,
): ClientEnd {
  const { headers } = request;
  let onBytes: (bytes: Uint8Array) => void = () => {};
  // Clients may disconnect at any time.
  request.on('error', () => {});
  response.on('error', () => {});
  return {
    head: {
      version: request.httpVersion === '1.0' ? '1.0' : '1.1',
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      authority: headers.host ?? '',
      rawHeaders: request.rawHeaders,
      headers,
      hasBody: headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0',
      expectsContinue,
    },
    listen({ bytes, end, gone, drain }) {
      onBytes = bytes;
      request.on('end', () => end(request.rawTrailers));
      request.on('close', () => {
        if (!request.complete) gone();
      });
      response.on('close', () => {
        if (!response.writableFinished) gone();
      });
      response.on('drain', drain);
    },
    read() {
      if (request.listenerCount('data') === 0) request.on('data', onBytes);
      request.resume();
    },
    pause: () => void request.pause(),
    drop: () => void request.off('data', onBytes).resume(),
    sendContinue: () => response.writeContinue(),
    respond({ status, statusMessage, rawHeaders }, without, isFlushed) {
      response.sendDate = false;
      const hasNoBody = request.method === 'HEAD' || status === 204 || status === 304;
      const mayTrail = !hasNoBody && request.httpVersion !== '1.0' && hasChunks(rawHeaders);
      const left = mayTrail ? without : [...without, 'trailer'];
      response.writeHead(status, statusMessage, responseHeaders(rawHeaders, false, left));
      if (isFlushed) response.flushHeaders();
    },
    write: (bytes) => response.destroyed || response.write(bytes),
    end(trailers) {
      if (trailers.length > 0) response.addTrailers(headerPairs(trailers));
      response.end();
    },
    reply(reply) {
      if (response.headersSent || response.destroyed) return;
      response.writeHead(reply.status, replyHeaders(reply));
      response.end(reply.body);
    },
    break: () => void response.socket?.destroy(),
  };
}
