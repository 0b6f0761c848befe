import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type {
  ControlAddress,
  ControlFrame,
  ControlMethod,
  ControlParams,
  ControlResults,
} from './control-messages.ts';

/** Parameters are passed on as received: a handler that uses them validates them. */
export type ControlHandlers = {
  readonly [Method in ControlMethod]: (
    params: ControlParams[Method],
  ) => Promise<ControlResults[Method]> | ControlResults[Method];
};

export interface ControlServer {
  readonly address: ControlAddress;
  /** Sends a frame to every connection. */
  broadcast(frame: ControlFrame): void;
  close(): Promise<void>;
}

const MAX_FRAME_BYTES = 64 * 1024;

/**
 * Opens the agent's endpoint for its window and command line: WebSocket on loopback, with a token created at each
 * start. Web pages cannot connect: browsers always send an Origin, and a name rebound to this address sends another
 * Host.
 */
export async function openControlServer(handlers: ControlHandlers): Promise<ControlServer> {
  const token = randomBytes(32).toString('base64url');
  const server = createServer((_request, response) => response.writeHead(403).end());
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (!mayEnter(request, token, (server.address() as AddressInfo).port)) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => serve(client, handlers));
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });

  return {
    address: { port: (server.address() as AddressInfo).port, token, pid: process.pid },
    broadcast(frame) {
      const text = JSON.stringify(frame);
      for (const client of sockets.clients) client.send(text, () => {});
    },
    close: () =>
      new Promise((resolve) => {
        for (const client of sockets.clients) client.close(1001);
        server.close(() => resolve());
        server.closeAllConnections();
        setTimeout(() => {
          for (const client of sockets.clients) client.terminate();
        }, 200).unref();
      }),
  };
}

/** Requires exactly one Host, which names this endpoint, no Origin, and the token. */
function mayEnter({ rawHeaders, headers, url }: IncomingMessage, token: string, port: number): boolean {
  const hosts = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length !== 1 || headers.host !== `127.0.0.1:${port}`) return false;
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) return false;
  return url === '/control' && isSame(headers.authorization ?? '', `Bearer ${token}`);
}

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

function serve(client: WebSocket, handlers: ControlHandlers): void {
  client.on('error', () => client.terminate());
  client.on('message', async (data, isBinary) => {
    const question = isBinary ? null : parse(String(data));
    if (question === null) {
      client.close(1008, 'not understood');
      return;
    }
    const { id, method, params } = question;
    try {
      if (!Object.hasOwn(handlers, method)) throw new Error(`Unknown method "${method}".`);
      const result = await handlers[method as ControlMethod](params as never);
      client.send(JSON.stringify({ id, result }), () => {});
    } catch (error) {
      client.send(JSON.stringify({ id, error: (error as Error).message }), () => {});
    }
  });
}

function parse(text: string): { id: number; method: string; params: unknown } | null {
  try {
    const { id, method, params = null } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    return typeof id === 'number' && typeof method === 'string' ? { id, method, params } : null;
  } catch {
    return null;
  }
}
