import type { ClientRequest, IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { ClientHttp2Stream, Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';
import type { Readable, Stream } from 'node:stream';
import { createProxyServer } from 'http-proxy';
import type { BodySource } from './body-bytes.ts';
import { type HeaderChanges, outgoingHeaders, outgoingHeaders2 } from './outgoing-headers.ts';
import type { UpstreamPool } from './upstream-pool.ts';

export type ClientResponse = ServerResponse | Http2ServerResponse;

/** What the vendor says, whatever the version. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly statusMessage: string;
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
  /** True where the body has ended before its time. Only once it has ended: HTTP/2 says it in no other way. */
  readonly isBroken: () => boolean;
  /** Only once the body has ended. */
  readonly rawTrailers: () => readonly string[];
}

export interface ForwardRequest {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  readonly method: string;
  readonly path: string;
  readonly rawHeaders: readonly string[];
  readonly changes: HeaderChanges;
  readonly body: BodySource;
  /** The client's answer: when it closes before its time the vendor's request is given up. */
  readonly response: ClientResponse;
  readonly clientSocket: Socket;
  readonly onAnswer: (answer: UpstreamAnswer) => void;
  /** Before an answer. After it, the answer's body breaks. */
  readonly onError: (error: NodeJS.ErrnoException) => void;
}

export interface Forwarder {
  /** Over HTTP/1.1, by http-proxy. */
  forward1(request: ForwardRequest): void;
  /** Over HTTP/2. */
  forward2(request: ForwardRequest): void;
}

/** RFC 9113 section 7. A refused stream was not looked at by anybody. */
const REFUSED_STREAM = 7;
const CANCEL = 8;

/** As much of a request as http-proxy looks at. */
interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly httpVersionMajor: 1;
  readonly httpVersion: '1.1';
  readonly socket: Socket;
  readonly request: ForwardRequest;
  sent: ClientRequest | null;
  isAnswered: boolean;
  on(): Outgoing;
}

export function createForwarder(pool: UpstreamPool): Forwarder {
  const proxy = createProxyServer({
    selfHandleResponse: true,
    toProxy: true,
    prependPath: false,
    secure: true,
  });
  proxy.on('proxyReq', (sent, outgoing) => {
    (outgoing as unknown as Outgoing).sent = sent;
  });
  proxy.on('proxyRes', (answer, outgoing) => {
    const { request } = outgoing as unknown as Outgoing;
    (outgoing as unknown as Outgoing).isAnswered = true;
    request.onAnswer({
      status: answer.statusCode ?? 502,
      statusMessage: answer.statusMessage ?? '',
      rawHeaders: answer.rawHeaders,
      headers: answer.headers,
      body: answer,
      isBroken: () => !answer.complete,
      rawTrailers: () => answer.rawTrailers,
    });
  });
  proxy.on('econnreset', () => {});
  proxy.on('error', () => {});

  function forward1(request: ForwardRequest, isRetry = false): void {
    const outgoing: Outgoing = {
      method: request.method,
      url: request.path,
      headers: outgoingHeaders(request.rawHeaders, request.changes),
      httpVersionMajor: 1,
      httpVersion: '1.1',
      socket: request.clientSocket,
      request,
      sent: null,
      isAnswered: false,
      on: () => outgoing,
    };
    const protocol = request.isTls ? 'https:' : 'http:';
    const target = { protocol, host: request.host, hostname: request.host, port: request.port };
    const agent = request.isTls ? pool.tlsAgent : pool.plainAgent;
    proxy.web(
      outgoing as unknown as IncomingMessage,
      request.response as ServerResponse,
      { target, agent, buffer: request.body as unknown as Stream },
      (error: NodeJS.ErrnoException) => {
        if (outgoing.isAnswered) return;
        outgoing.isAnswered = true;
        // A kept connection that the vendor closed as we wrote: nobody has read the request.
        const isStale = outgoing.sent?.reusedSocket === true && error.code === 'ECONNRESET';
        if (isStale && !isRetry && request.body.isReplayable && !request.response.destroyed)
          forward1(request, true);
        else request.onError(error);
      },
    );
  }

  async function forward2(request: ForwardRequest, isRetry = false): Promise<void> {
    let stream: ClientHttp2Stream;
    try {
      const session = await pool.session(request.host, request.port);
      const headers = outgoingHeaders2(request.rawHeaders, { ...request.changes, path: request.path });
      stream = session.request(headers, { endStream: false });
    } catch (error) {
      // It spoke HTTP/2 when the client was told so.
      if ((error as NodeJS.ErrnoException).code === 'NO_H2') forward1(request);
      else request.onError(error as NodeJS.ErrnoException);
      return;
    }
    let isAnswered = false;
    const giveUp = (error: NodeJS.ErrnoException): void => {
      if (isAnswered) return;
      isAnswered = true;
      const isUnread = stream.rstCode === REFUSED_STREAM || error.code === 'ERR_HTTP2_GOAWAY_SESSION';
      const mayRepeat = isUnread || request.method === 'GET' || request.method === 'HEAD';
      const isOpen = !request.response.destroyed && !request.response.headersSent;
      if (mayRepeat && !isRetry && isOpen && request.body.isReplayable) start2(request, true);
      else request.onError(error);
    };
    let trailers: readonly string[] = [];
    stream.on('error', giveUp);
    stream.once('close', () => {
      giveUp(Object.assign(new Error('the vendor closed the stream'), { code: 'ECONNRESET' }));
    });
    stream.on('trailers', (_headers, _flags, raw?: string[]) => {
      trailers = raw ?? [];
    });
    stream.once('response', (headers, _flags, raw?: string[]) => {
      if (isAnswered) return;
      isAnswered = true;
      request.onAnswer({
        status: Number(headers[':status'] ?? 502),
        statusMessage: '',
        rawHeaders: raw ?? [],
        headers: headers as IncomingHttpHeaders,
        body: stream,
        isBroken: () => stream.rstCode !== 0,
        rawTrailers: () => trailers,
      });
    });
    request.response.once('close', () => {
      if (!stream.closed) stream.close(CANCEL);
    });
    request.body.pipe(stream);
  }

  /** What HTTP/1.1 cannot say, such as a header or a path that came over HTTP/2, is an error of this request. */
  function start2(request: ForwardRequest, isRetry = false): void {
    forward2(request, isRetry).catch(request.onError);
  }

  return { forward1, forward2: (request) => start2(request) };
}
