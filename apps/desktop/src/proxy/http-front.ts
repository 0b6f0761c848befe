import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { performServerHandshake, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ClientEnd } from '../exchange/client-end.ts';
import { http1Client } from '../exchange/http1-client.ts';
import { http2Client } from '../exchange/http2-client.ts';
import { endWith } from '../exchange/relay-websocket.ts';
import type { ConnectionTarget } from '../upstream/open-request.ts';
import type { HttpVersion } from '../upstream/upstream-pool.ts';
import type { PlainRequest } from './hand-on.ts';

const MAX_HEADER_BYTES = 128 * 1024;
/** HTTP/2 window: with the usual 64 KB an upload waits for every acknowledgement. */
const WINDOW_BYTES = 16 * 1024 * 1024;
/**
 * A client that accepts nothing for this long, while a response waits for it, has left. Node notices after once to twice
 * this time, which is at most the minute of nginx.
 */
const SEND_TIMEOUT_MS = 30_000;

/** Handlers of requests. `target` null: the connection was not opened, so the request itself names its target. */
export interface FrontHandlers {
  exchange(target: ConnectionTarget | null, client: ClientEnd, plain?: PlainRequest): void;
  upgrade(target: ConnectionTarget | null, request: IncomingMessage, socket: Duplex, head: Buffer): void;
  connect(request: IncomingMessage, socket: Socket): void;
}

/** All client connections, with the HTTP servers that handle them. */
export interface HttpFront {
  listen(port: number): Promise<number>;
  /** Takes an opened connection: its requests arrive decrypted, and all go to `target`. */
  accept(target: ConnectionTarget, socket: Duplex, version: HttpVersion): void;
  openConnections(): number;
  /** Open requests get `graceMs` to finish. */
  close(graceMs: number): Promise<void>;
}

export function createHttpFront(handlers: FrontHandlers, sendTimeoutMs = SEND_TIMEOUT_MS): HttpFront {
  /** Every HTTP/1.1 connection with its target; null: not opened. */
  const connections = new Map<Duplex, ConnectionTarget | null>();
  const targetOf = (socket: Duplex): ConnectionTarget | null => connections.get(socket) ?? null;
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    // No limit: clients may use long uploads and long polls.
    requestTimeout: 0,
    headersTimeout: 60_000,
    keepAliveTimeout: 75_000,
  });
  const onRequest = (expectsContinue: boolean) => (request: IncomingMessage, response: ServerResponse) => {
    const client = http1Client(request, response, expectsContinue);
    handlers.exchange(targetOf(request.socket), client, { request, response, client });
  };
  server.on('request', onRequest(false));
  server.on('checkContinue', onRequest(true));
  server.on('clientError', (_error, socket) => socket.destroy());
  server.on('connection', (socket: Socket) => {
    if (!connections.has(socket)) register(socket, null);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    handlers.upgrade(targetOf(socket), request, socket, head);
  });
  server.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (targetOf(socket) !== null) return endWith(socket, 405, 'Method Not Allowed');
    if (head.length > 0) socket.unshift(head);
    handlers.connect(request, socket);
  });

  function register(socket: Duplex, target: ConnectionTarget | null): void {
    connections.set(socket, target);
    socket.once('close', () => connections.delete(socket));
  }

  function acceptHttp2(target: ConnectionTarget, socket: Duplex): void {
    const session = performServerHandshake(socket, {
      settings: { initialWindowSize: 1 << 20, enableConnectProtocol: false },
    });
    session.on('error', () => {});
    session.setLocalWindowSize(WINDOW_BYTES);
    // The underlying socket allows half-open connections; a client that ended an HTTP/2 connection has left.
    socket.once('end', () => session.destroy());
    const open = new Set<ServerHttp2Stream>();
    // Node does not read while it writes: of a client that is killed then, it may never learn.
    session.setTimeout(sendTimeoutMs, () => {
      if ([...open].some(({ writableLength }) => writableLength > 0)) session.destroy();
    });
    session.on('stream', (stream, headers, _flags, rawHeaders: string[]) => {
      open.add(stream);
      stream.on('error', () => {});
      stream.once('close', () => open.delete(stream));
      if (headers[':method'] === 'CONNECT') return stream.respond({ ':status': 405 }, { endStream: true });
      handlers.exchange(target, http2Client(stream, headers, rawHeaders));
    });
  }

  function cut(): void {
    server.closeAllConnections();
    for (const socket of connections.keys()) socket.destroy();
  }

  return {
    async listen(port) {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen({ host: '127.0.0.1', port, backlog: 1024 }, () => {
          server.off('error', reject);
          resolve();
        });
      });
      return (server.address() as AddressInfo).port;
    },
    accept(target, socket, version) {
      if (version === 'h2') return acceptHttp2(target, socket);
      register(socket, target);
      // Node's own way to hand a connection to a server.
      server.emit('connection', socket);
    },
    openConnections: () => connections.size,
    async close(graceMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const late = setTimeout(cut, graceMs);
      await Promise.race([closed, new Promise<void>((resolve) => setTimeout(resolve, graceMs + 50).unref())]);
      clearTimeout(late);
      cut();
    },
  };
}
