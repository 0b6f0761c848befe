import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { AddressDenied, type DenyReason } from '../../outbound/address-denied.ts';
import { checkUrl } from '../../outbound/check-url.ts';
import { type GuardRules, guardedConnector } from '../../outbound/guarded-connector.ts';

/** A page's access to the proxy: counts the bytes it loads and records the hosts denied to it. */
export interface Passage {
  readonly username: string;
  readonly password: string;
  /** Why a host was denied. */
  denyReasonOf(hostname: string): DenyReason | undefined;
  isSpent(): boolean;
  end(): void;
}

export interface GuardedProxy {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  open(maxBytes: number): Passage;
  close(): Promise<void>;
}

interface OpenPassage {
  readonly secret: Buffer;
  readonly denyReasons: Map<string, DenyReason>;
  readonly sockets: Set<Duplex>;
  left: number;
}

const CONNECT_MS = 10_000;
const IDLE_MS = 30_000;
const MAX_CONNECTIONS = 64;

/**
 * The only way out for the browser that renders pages. Every connection is resolved, checked and pinned here; requests
 * without a passage's credentials are rejected.
 */
export async function startGuardedProxy(rules: GuardRules = {}): Promise<GuardedProxy> {
  const passages = new Map<string, OpenPassage>();
  const connectGuarded = guardedConnector({ ...rules, connectTimeoutMs: CONNECT_MS });
  const sockets = new Set<Socket>();

  const server = createServer((request, response) => void forward(request, response));
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
  });
  server.on('connect', (request, client: Socket, head: Buffer) => void tunnel(request, client, head));
  server.on('upgrade', (_request, socket) => socket.destroy());

  async function tunnel(request: IncomingMessage, client: Socket, head: Buffer): Promise<void> {
    const passage = passageOf(passages, request);
    if (passage === undefined) return reject(client, 407);
    const target = URL.parse(`http://${request.url}`);
    if (target === null) return reject(client, 400);
    try {
      const port = Number(/:(\d+)$/.exec(request.url ?? '')?.[1] ?? 443);
      const socket = await reach(connectGuarded, passage, target.hostname, port);
      passage.sockets.add(client);
      client.once('close', () => {
        passage.sockets.delete(client);
        socket.destroy();
      });
      socket.once('close', () => client.destroy());
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      socket.write(head);
      client.pipe(socket);
      socket.pipe(client);
    } catch {
      reject(client, 403);
    }
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const passage = passageOf(passages, request);
    if (passage === undefined) {
      response.writeHead(407, { 'proxy-authenticate': 'Basic realm="render"' }).end();
      return;
    }
    const url = request.url?.startsWith('http://') ? URL.parse(request.url) : null;
    if (url === null) {
      response.writeHead(400).end();
      return;
    }
    const checked = checkUrl(url.href, rules);
    if (!checked.ok) {
      passage.denyReasons.set(bare(url.hostname), checked.reason);
      response.writeHead(403).end();
      return;
    }
    try {
      const socket = await reach(connectGuarded, passage, url.hostname, Number(url.port || 80));
      exchange(request, response, url, socket);
    } catch {
      if (!response.headersSent) response.writeHead(403).end();
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open(maxBytes) {
      const username = randomBytes(9).toString('base64url');
      const password = randomBytes(18).toString('base64url');
      const passage: OpenPassage = {
        secret: Buffer.from(password),
        denyReasons: new Map(),
        sockets: new Set(),
        left: maxBytes,
      };
      passages.set(username, passage);
      return {
        username,
        password,
        denyReasonOf: (hostname) => passage.denyReasons.get(bare(hostname)),
        isSpent: () => passage.left <= 0,
        end() {
          passages.delete(username);
          for (const socket of passage.sockets) socket.destroy();
        },
      };
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function passageOf(
  passages: ReadonlyMap<string, OpenPassage>,
  request: IncomingMessage,
): OpenPassage | undefined {
  const [scheme, coded] = (request.headers['proxy-authorization'] ?? '').split(' ');
  if (scheme?.toLowerCase() !== 'basic' || coded === undefined) return undefined;
  const [name = '', password = ''] = Buffer.from(coded, 'base64').toString().split(':');
  const passage = passages.get(name);
  const given = Buffer.from(password);
  if (passage === undefined || given.length !== passage.secret.length) return undefined;
  return timingSafeEqual(given, passage.secret) ? passage : undefined;
}

/** Returns a socket to the host, opened by the guard that all outbound connections use. */
async function reach(
  connectGuarded: ReturnType<typeof guardedConnector>,
  passage: OpenPassage,
  hostname: string,
  port: number,
): Promise<Socket> {
  if (passage.left <= 0 || passage.sockets.size >= MAX_CONNECTIONS) throw new Error('spent');
  try {
    const socket = await new Promise<Socket>((resolve, reject) => {
      connectGuarded({ hostname, port: String(port), protocol: 'http:' }, (error, opened) =>
        error === null ? resolve(opened) : reject(error),
      );
    });
    track(passage, socket);
    socket.setTimeout(IDLE_MS, () => socket.destroy());
    return socket;
  } catch (error) {
    if (error instanceof AddressDenied) passage.denyReasons.set(bare(hostname), error.reason);
    throw error;
  }
}

function track(passage: OpenPassage, socket: Socket): void {
  passage.sockets.add(socket);
  socket.on('error', () => {}).once('close', () => passage.sockets.delete(socket));
  socket.on('data', (chunk: Buffer) => {
    passage.left -= chunk.length;
    if (passage.left <= 0) for (const one of passage.sockets) one.destroy();
  });
}

/** Relays one plain HTTP request and its response over a socket that the guard opened. */
function exchange(request: IncomingMessage, response: ServerResponse, url: URL, socket: Socket): void {
  const { 'proxy-authorization': _credential, 'proxy-connection': _connection, ...headers } = request.headers;
  const outgoing = httpRequest({
    createConnection: () => socket,
    method: request.method,
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, connection: 'close' },
    setHost: false,
  });
  outgoing.on('error', () => response.destroy());
  outgoing.on('response', (reply) => {
    response.writeHead(reply.statusCode ?? 502, reply.rawHeaders);
    reply.on('error', () => response.destroy());
    reply.pipe(response);
  });
  request.pipe(outgoing);
  response.once('close', () => socket.destroy());
}

function reject(client: Socket, status: 400 | 403 | 407): void {
  const challenge = status === 407 ? 'Proxy-Authenticate: Basic realm="render"\r\n' : '';
  client.end(`HTTP/1.1 ${status} Refused\r\n${challenge}Content-Length: 0\r\nConnection: close\r\n\r\n`);
}

function bare(hostname: string): string {
  return hostname.toLowerCase().replace(/^\[|\]$/g, '');
}
