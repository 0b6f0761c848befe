import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import {
  failedRequest,
  headerPairs,
  type UpstreamEvents,
  type UpstreamHead,
  type UpstreamRequest,
} from './open-request.ts';
import { outgoingHeaders } from './outgoing-headers.ts';
import type { UpstreamPool } from './upstream-pool.ts';

export type Http1Pool = Pick<UpstreamPool, 'tlsAgent' | 'plainAgent'>;

export function openHttp1(pool: Http1Pool, head: UpstreamHead, events: UpstreamEvents): UpstreamRequest {
  try {
    return listen(send(pool, head), events);
  } catch (error) {
    // HTTP/1.1 cannot send it, such as a header or a path that came over HTTP/2.
    return failedRequest(error as NodeJS.ErrnoException, events);
  }
}

function send(pool: Http1Pool, { target, method, path, rawHeaders, changes }: UpstreamHead): ClientRequest {
  const { host, port, isTls } = target;
  return (isTls ? httpsRequest : httpRequest)({
    host,
    port,
    method,
    path,
    headers: outgoingHeaders(rawHeaders, changes),
    agent: isTls ? pool.tlsAgent : pool.plainAgent,
  });
}

function listen(request: ClientRequest, events: UpstreamEvents): UpstreamRequest {
  let response: IncomingMessage | null = null;
  let isOver = false;
  const fail = (code: string, mayRepeat: boolean): void => {
    if (isOver) return;
    isOver = true;
    events.error({ code, mayRepeat });
  };
  request.on('error', (error: NodeJS.ErrnoException) => {
    // The provider closed a kept-alive connection while we wrote: the request was not read.
    const isStale = response === null && request.reusedSocket && error.code === 'ECONNRESET';
    fail(error.code ?? error.message, isStale);
  });
  request.on('close', () => fail('ECONNRESET', false));
  request.on('drain', events.drain);
  request.on('response', (message) => {
    if (isOver) return;
    response = message;
    message.on('error', () => fail('ECONNRESET', false));
    message.on('close', () => fail('ECONNRESET', false));
    events.response({
      status: message.statusCode ?? 502,
      statusMessage: message.statusMessage ?? '',
      rawHeaders: message.rawHeaders,
      headers: message.headers,
    });
    if (isOver) return;
    message.on('data', (bytes: Buffer) => {
      if (!isOver) events.bytes(bytes);
    });
    message.on('end', () => {
      if (isOver || !message.complete) return;
      isOver = true;
      events.end(message.rawTrailers);
    });
  });
  return {
    write: (bytes) => request.destroyed || request.write(bytes),
    end(trailers) {
      if (trailers.length > 0) request.addTrailers(headerPairs(trailers));
      request.end();
    },
    pause: () => void response?.pause(),
    resume: () => void response?.resume(),
    abort() {
      isOver = true;
      request.destroy();
    },
  };
}
