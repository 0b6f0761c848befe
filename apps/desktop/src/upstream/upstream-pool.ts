import { type AgentOptions, Agent as HttpAgent } from 'node:http';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { Agent as HttpsAgent } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls';
import { DialError, type Dialer } from './dial.ts';

export type HttpVersion = 'h2' | 'http/1.1';

/** Reused connections to providers: one agent for HTTP/1.1, one session per host for HTTP/2. */
export interface UpstreamPool {
  readonly plainAgent: HttpAgent;
  readonly tlsAgent: HttpsAgent;
  /** Returns the provider's version of HTTP, determined once an hour; HTTP/1.1 if it cannot be reached. */
  versionOf(host: string, port: number): Promise<HttpVersion>;
  /** Rejects with DialError. */
  session(host: string, port: number): Promise<ClientHttp2Session>;
  close(): void;
}

export interface PoolOptions {
  readonly dialer: Dialer;
  readonly secureContext: SecureContext;
  readonly upstreamProxy: URL | null;
  readonly upstreamProxyBypass: readonly string[];
  readonly handshakeTimeoutMs: number;
  readonly now: () => number;
}

const VERSION_LIFE_MS = 60 * 60 * 1000;

export function createUpstreamPool(options: PoolOptions): UpstreamPool {
  const { dialer } = options;
  const sessions = new Map<string, Promise<ClientHttp2Session>>();
  const versions = new Map<string, { readonly version: Promise<HttpVersion>; readonly untilMs: number }>();
  const spare = new Map<string, TLSSocket>();
  const tlsAgent = new TunnelAgent(options, spare);
  const keyOf = (host: string, port: number): string => `${host}:${port}`;

  function adopt(key: string, host: string, port: number, socket: TLSSocket): ClientHttp2Session {
    const session = connectHttp2(`https://${isIP(host) === 6 ? `[${host}]` : host}:${port}`, {
      createConnection: () => socket as Duplex,
      maxSessionMemory: 64,
      settings: { enablePush: false, initialWindowSize: 1 << 20 },
    });
    session.once('connect', () => session.setLocalWindowSize(16 * 1024 * 1024));
    // Its requests report errors themselves.
    session.on('error', () => {});
    const forget = (): void => {
      if (session === held) sessions.delete(key);
    };
    session.once('close', forget).once('goaway', forget);
    const held: ClientHttp2Session = session;
    sessions.set(key, Promise.resolve(session));
    return session;
  }

  async function handshake(host: string, port: number, protocols: HttpVersion[]): Promise<TLSSocket> {
    const socket = await dialer.dial(host, port);
    return secured(socket, host, protocols, options);
  }

  async function learn(host: string, port: number): Promise<HttpVersion> {
    const key = keyOf(host, port);
    const socket = await handshake(host, port, ['h2', 'http/1.1']);
    if (socket.alpnProtocol === 'h2') {
      adopt(key, host, port, socket);
      return 'h2';
    }
    socket.once('close', () => spare.delete(key));
    socket.on('error', () => {});
    spare.set(key, socket);
    return 'http/1.1';
  }

  return {
    plainAgent: new HttpAgent({
      keepAlive: true,
      ...plainProxy(options),
    } as AgentOptions),
    tlsAgent,
    versionOf(host, port) {
      const key = keyOf(host, port);
      const known = versions.get(key);
      if (known !== undefined && known.untilMs > options.now()) return known.version;
      const version = learn(host, port).catch((): HttpVersion => {
        versions.delete(key);
        return 'http/1.1';
      });
      versions.set(key, { version, untilMs: options.now() + VERSION_LIFE_MS });
      return version;
    },
    async session(host, port) {
      const key = keyOf(host, port);
      const known = await sessions.get(key)?.catch(() => undefined);
      if (known !== undefined && !known.closed && !known.destroyed) return known;
      const opening = handshake(host, port, ['h2', 'http/1.1']).then((socket) => {
        if (socket.alpnProtocol === 'h2') return adopt(key, host, port, socket);
        socket.destroy();
        versions.delete(key);
        throw new DialError('NO_H2', `${host} no longer supports HTTP/2.`);
      });
      sessions.set(key, opening);
      opening.catch(() => sessions.delete(key));
      return opening;
    },
    close() {
      this.plainAgent.destroy();
      tlsAgent.destroy();
      for (const socket of spare.values()) socket.destroy();
      for (const opening of sessions.values()) {
        opening.then(
          (session) => session.destroy(),
          () => {},
        );
      }
    },
  };
}

/** Plain HTTP through the company's proxy uses the absolute form, which Node's own agent supports. */
function plainProxy({ upstreamProxy, upstreamProxyBypass }: PoolOptions): object {
  if (upstreamProxy === null) return {};
  return { proxyEnv: { HTTP_PROXY: upstreamProxy.href, NO_PROXY: upstreamProxyBypass.join(',') } };
}

function secured(
  socket: Socket,
  host: string,
  protocols: readonly HttpVersion[],
  options: Pick<PoolOptions, 'secureContext' | 'handshakeTimeoutMs'>,
): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const tls = connectTls({
      socket,
      host,
      ...(isIP(host) === 0 && { servername: host }),
      ALPNProtocols: [...protocols],
      secureContext: options.secureContext,
    });
    endTogether(tls);
    const timer = setTimeout(() => tls.destroy(new Error('ETIMEDOUT')), options.handshakeTimeoutMs);
    const onError = (error: NodeJS.ErrnoException): void => {
      clearTimeout(timer);
      reject(
        new DialError(
          error.code ?? 'TLS_FAILED',
          `${host} could not be reached safely (${error.code ?? error.message}).`,
        ),
      );
    };
    tls.once('error', onError);
    tls.once('secureConnect', () => {
      clearTimeout(timer);
      tls.off('error', onError);
      resolve(tls);
    });
  });
}

/** The underlying socket allows half-open connections, for tunnels; a provider that ended a connection has left. */
function endTogether(tls: TLSSocket): TLSSocket {
  tls.allowHalfOpen = false;
  return tls;
}

/** Node's agent, with connections that may use the company's proxy. */
class TunnelAgent extends HttpsAgent {
  readonly #options: PoolOptions;
  readonly #spare: Map<string, TLSSocket>;

  constructor(options: PoolOptions, spare: Map<string, TLSSocket>) {
    super({ keepAlive: true, scheduling: 'lifo', maxCachedSessions: 200 });
    this.#options = options;
    this.#spare = spare;
  }

  /** Other settings are the same for every connection of this agent; Node's own name consists of twenty settings. */
  override getName({ host, port }: { readonly host?: string; readonly port?: number | string } = {}): string {
    return `${host}:${port}`;
  }

  // biome-ignore lint/suspicious/noExplicitAny: Node types this method differently for every version of its agents
  override createConnection(settings: any, done: any): any {
    const host: string = settings.host;
    const port = Number(settings.port);
    const spare = this.#spare.get(`${host}:${port}`);
    if (spare !== undefined) {
      this.#spare.delete(`${host}:${port}`);
      if (!spare.destroyed && spare.writable) return spare;
    }
    const { dialer, secureContext } = this.#options;
    const secure = { ...settings, secureContext, ...(isIP(host) === 0 && { servername: host }) };
    // Without a proxy, Node's own method also resumes TLS sessions.
    if (!dialer.isProxied(host)) return super.createConnection(secure, done);
    dialer
      .dial(host, port)
      .then((socket) => endTogether(connectTls({ ...secure, socket, ALPNProtocols: ['http/1.1'] })))
      .then(
        (socket) => done(null, socket),
        (error) => done(error),
      );
    return undefined;
  }
}
