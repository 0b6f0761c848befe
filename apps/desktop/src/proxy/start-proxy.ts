/**
 * The interception proxy: listens on loopback, tunnels what is none of its business, opens what the policy names.
 * Runs as a process of its own (proxy-process.ts), started by the supervisor; in tests also in process. Never changes
 * a setting of the machine and never writes a body to disk.
 */
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext, getCACertificates } from 'node:tls';
import { type CompiledPolicy, compilePolicy, hostMatcher, normalHost } from '../inspect/compile-policy.ts';
import type { DecisionEvent } from '../inspect/decision-event.ts';
import type { AskGuard } from '../inspect/device-policy.ts';
import { createCompanyPac } from './company-pac.ts';
import { createConnectClient, HANDSHAKE_TIMEOUT_MS } from './connect-client.ts';
import { createTextMemory } from './create-text-memory.ts';
import { createDialer, isLoopback, LOOP_HEADER } from './dial.ts';
import { runExchange } from './exchange.ts';
import { type ExchangeDeps, type Opened, refuse, reply } from './exchange-parts.ts';
import { createForwarder } from './forward-request.ts';
import { createLeafContexts } from './leaf-contexts.ts';
import type { LeafCertificate, ProxyConfig, ProxyHealth } from './messages.ts';
import { oncePerMinute } from './once-per-minute.ts';
import { PROXY_PAGE } from './probe-proxy.ts';
import { endWith, relayWebSocket } from './relay-websocket.ts';
import { createScopeOf } from './scope-of.ts';
import { createUpstreamPool } from './upstream-pool.ts';

export interface ProxyHooks {
  readonly needLeaf: (host: string) => void;
  readonly emit: (event: DecisionEvent) => void;
  readonly pinned: (host: string, process: string | null, untilMs: number) => void;
  /** Made once per configuration that names a service. */
  readonly connectGuard: (service: NonNullable<ProxyConfig['service']>) => AskGuard;
  readonly now: () => number;
  readonly newEventId: () => string;
}

export interface RunningProxy {
  readonly port: number;
  /** Takes effect with the next request; what cannot change while it runs (port, way out) is left. */
  configure(config: ProxyConfig): void;
  leaf(host: string, leaf: LeafCertificate | null): void;
  health(): ProxyHealth;
  /** Open requests get `graceMs` to finish. */
  close(graceMs: number): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 15_000;
const MAX_HEADER_BYTES = 128 * 1024;
/** For HTTP/2: with the usual 64 KB an upload waits for every acknowledgement. */
const WINDOW_BYTES = 16 * 1024 * 1024;
const OPENED = Symbol('opened');

type OpenedSocket = Duplex & { [OPENED]?: Opened };

/** Listens, then resolves. Rejects where it cannot listen, or where the configuration makes no sense. */
export async function startProxy(first: ProxyConfig, hooks: ProxyHooks): Promise<RunningProxy> {
  let config = first;
  let compiled: CompiledPolicy = compilePolicy(config.policy);
  let guard = config.service === null ? null : hooks.connectGuard(config.service);
  let ownPort = config.port;
  const upstreamProxy = config.upstreamProxy === null ? null : new URL(config.upstreamProxy);
  const secureContext = createSecureContext({
    ca: [...getCACertificates('default'), ...getCACertificates('system'), ...config.upstreamCa],
  });
  const dialer = createDialer({
    upstreamProxy,
    companyPac:
      config.companyPac === null
        ? null
        : createCompanyPac({ address: config.companyPac, now: hooks.now, credentials: upstreamProxy }),
    isDirect: hostMatcher(config.upstreamProxyBypass),
    loopToken: config.loopToken,
    secureContext,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    ownPort: () => ownPort,
  });
  const pool = createUpstreamPool({
    dialer,
    secureContext,
    upstreamProxy,
    upstreamProxyBypass: config.upstreamProxyBypass,
    handshakeTimeoutMs: HANDSHAKE_TIMEOUT_MS,
    now: hooks.now,
  });
  const counters = { requests: 0, blocked: 0, redacted: 0, noAnswers: 0 };
  const leaves = createLeafContexts(hooks.needLeaf, hooks.now);
  const connections = new Set<Duplex>();
  const deps: ExchangeDeps = {
    policy: () => compiled,
    ask: () => (guard === null ? null : { guard, deadlineMs: config.guardDeadlineMs }),
    memory: createTextMemory(hooks.now),
    scopeOf: createScopeOf(() => config.service?.url ?? ''),
    forwarder: createForwarder(pool),
    emit: oncePerMinute(hooks.emit, hooks.now),
    counters,
    now: hooks.now,
    newEventId: hooks.newEventId,
  };

  const connectClient = createConnectClient({
    policy: () => compiled,
    probeHost: () => config.probeHost,
    ownPort: () => ownPort,
    dialer,
    pool,
    leaves,
    serve(opened, socket, version) {
      (socket as OpenedSocket)[OPENED] = opened;
      (version === 'h2' ? server2 : server).emit('connection', socket);
    },
    pinned: hooks.pinned,
    emit: deps.emit,
    now: hooks.now,
    newEventId: hooks.newEventId,
  });

  const server = createHttpServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    // Long uploads and long polls are the client's business.
    requestTimeout: 0,
    headersTimeout: 60_000,
    keepAliveTimeout: 75_000,
  });
  const server2 = createHttp2Server({
    settings: { initialWindowSize: 1 << 20, enableConnectProtocol: false },
  });

  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const opened = (request.socket as OpenedSocket)[OPENED];
    if (opened !== undefined) serve(opened, request, response);
    else servePlain(request, response);
  };
  server.on('request', onRequest);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    response.writeContinue();
    onRequest(request, response);
  });
  server2.on('request', (request, response) => {
    const opened = (request.stream.session?.socket as OpenedSocket | undefined)?.[OPENED];
    if (opened === undefined) response.stream.destroy();
    else serve(opened, request, response);
  });
  server2.on('session', (session) => {
    session.setLocalWindowSize(WINDOW_BYTES);
    // The connection below is half open by nature; a client that has ended an HTTP/2 connection has left.
    session.socket.once('end', () => session.destroy());
  });
  server2.on('sessionError', () => {});
  server.on('clientError', (_error, socket) => socket.destroy());
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const opened = (socket as OpenedSocket)[OPENED] ?? plainTarget(request);
    if (opened === null) endWith(socket, 400, 'Bad Request');
    else if (request.headers.upgrade?.toLowerCase() === 'websocket') {
      relayWebSocket(deps, pool, opened, request, socket, head);
    } else endWith(socket, 501, 'Not Implemented');
  });
  server.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if ((socket as OpenedSocket)[OPENED] !== undefined) return endWith(socket, 405, 'Method Not Allowed');
    if (request.headers[LOOP_HEADER.toLowerCase()] === config.loopToken)
      return endWith(socket, 508, 'Loop Detected');
    if (head.length > 0) socket.unshift(head);
    connectClient(request.url ?? '', socket).catch(() => socket.destroy());
  });

  function serve(
    opened: Opened,
    request: Parameters<typeof runExchange>[2],
    response: Parameters<typeof runExchange>[3],
  ): void {
    if (opened.host === config.probeHost) answerProbe(response);
    else runExchange(deps, opened, request, response);
  }

  /** It can answer, so its loop turns; it answers with the token, so it is ours. */
  function answerProbe(response: Parameters<typeof runExchange>[3]): void {
    reply(response, 200, 'text/plain', config.loopToken, {});
  }

  function plainTarget(request: IncomingMessage): Opened | null {
    const url = URL.parse(request.url ?? '');
    if (url === null || (url.protocol !== 'http:' && url.protocol !== 'ws:')) return null;
    request.url = `${url.pathname}${url.search}`;
    return { host: normalHost(url.hostname), port: Number(url.port) || 80, isTls: false };
  }

  /** `GET http://host/path`, and whatever a browser or a person asks the port itself. */
  function servePlain(request: IncomingMessage, response: ServerResponse): void {
    if (request.url === '/proxy.pac' && config.pac !== null && isLoopback(hostOf(request))) {
      reply(response, 200, 'application/x-ns-proxy-autoconfig', config.pac, {});
      return;
    }
    const opened = plainTarget(request);
    if (opened === null) {
      refuse(response, 404, PROXY_PAGE);
    } else if (
      request.headers[LOOP_HEADER.toLowerCase()] === config.loopToken ||
      (opened.port === ownPort && isLoopback(opened.host))
    ) {
      refuse(response, 508, 'This address leads back to Content Security Agent itself.');
    } else serve(opened, request, response);
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: config.port, backlog: 1024 }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  ownPort = (server.address() as AddressInfo).port;

  return {
    port: ownPort,
    configure(next) {
      const nextCompiled = compilePolicy(next.policy);
      const isSameService =
        next.service?.url === config.service?.url && next.service?.apiKey === config.service?.apiKey;
      if (!isSameService) guard = next.service === null ? null : hooks.connectGuard(next.service);
      config = next;
      compiled = nextCompiled;
    },
    leaf: leaves.arrived,
    health: () => ({ openConnections: connections.size, ...counters }),
    async close(graceMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const timer = setTimeout(() => cut(), graceMs);
      await Promise.race([closed, new Promise<void>((resolve) => setTimeout(resolve, graceMs + 50).unref())]);
      clearTimeout(timer);
      cut();
      pool.close();
    },
  };

  function cut(): void {
    server.closeAllConnections();
    for (const socket of connections) socket.destroy();
  }
}

function hostOf(request: IncomingMessage): string {
  return normalHost((request.headers.host ?? '').replace(/:\d+$/, ''));
}
