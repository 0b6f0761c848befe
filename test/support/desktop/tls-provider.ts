/**
 * A model provider behind TLS on loopback, over HTTP/2 and HTTP/1.1: the test defines its responses, and it records
 * every request byte for byte.
 */
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext } from 'node:tls';
import type { Authority } from './certificates.ts';

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly httpVersion: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly rawTrailers: readonly string[];
  readonly body: Buffer;
}

export type ProviderRequest = IncomingMessage | Http2ServerRequest;
export type ProviderResponse = ServerResponse | Http2ServerResponse;
/** Called with the whole request; `response` works the same for both versions. */
export type Handler = (response: ServerResponse, seen: SeenRequest, request: IncomingMessage) => void;

export interface TlsProvider {
  readonly port: number;
  readonly requests: SeenRequest[];
  answer(handler: Handler): void;
  /** Breaks every connection. */
  cut(): void;
  onUpgrade(handler: (request: IncomingMessage, socket: Duplex, head: Buffer) => void): void;
  close(): Promise<void>;
}

export const respondWithHello: Handler = (response, seen) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ hello: seen.url }));
};

export async function startTlsProvider(
  authority: Authority,
  options: { readonly http2?: boolean; readonly host?: string } = {},
): Promise<TlsProvider> {
  const requests: SeenRequest[] = [];
  let handler: Handler = respondWithHello;
  const contextOf = async (name: string) => {
    const leaf = await authority.issuer.leafFor(name, Date.now());
    return createSecureContext({ cert: leaf.chain, key: leaf.key });
  };
  const fallback = await authority.issuer.leafFor(options.host ?? 'localhost', Date.now());
  const server = createSecureServer({
    allowHTTP1: true,
    ...(options.http2 === false && { ALPNProtocols: ['http/1.1'] }),
    cert: fallback.chain,
    key: fallback.key,
    SNICallback: (name, done) => {
      contextOf(name).then(
        (context) => done(null, context),
        (error) => done(error),
      );
    },
  });
  const sockets = new Set<Socket>();
  const sessions = new Set<ServerHttp2Session>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('session', (session) => {
    sessions.add(session);
    session.on('error', () => {});
    session.once('close', () => sessions.delete(session));
  });
  server.on('tlsClientError', () => {});
  server.on('clientError', (_error, socket) => socket.destroy());
  server.on('request', async (request: ProviderRequest, response: ProviderResponse) => {
    const chunks: Buffer[] = [];
    response.on('error', () => {});
    try {
      for await (const chunk of request as IncomingMessage) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const seen: SeenRequest = {
      method: request.method ?? '',
      url: request.url ?? '',
      httpVersion: request.httpVersion,
      headers: request.headers,
      rawHeaders: request.rawHeaders,
      rawTrailers: request.rawTrailers,
      body: Buffer.concat(chunks),
    };
    requests.push(seen);
    handler(response as ServerResponse, seen, request as IncomingMessage);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    answer(next) {
      handler = next;
    },
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    onUpgrade: (listener) => void server.on('upgrade', listener),
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const session of sessions) session.destroy();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
