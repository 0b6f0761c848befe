import { request as httpRequest } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { connect, isIP, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { ProxyRoute, UpstreamPac } from './upstream-pac.ts';

/** An error message for the user about a failed connection. `code` is Node's, or one of ours. */
export class DialError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'DialError';
    this.code = code;
  }
}

/** Opens outgoing connections: direct, or through the company's proxy. */
export interface Dialer {
  /** Resolves to a connected socket to `host:port`; rejects with DialError. */
  dial(host: string, port: number): Promise<Socket>;
  /** True if `host` may need a proxy: then only `dial` can reach it. */
  isProxied(host: string): boolean;
}

export interface DialOptions {
  readonly upstreamProxy: URL | null;
  /** The company's PAC file; without a usable result of it, `upstreamProxy` applies. */
  readonly upstreamPac: UpstreamPac | null;
  readonly isDirect: (host: string) => boolean;
  /** Sent to the upstream proxy, so that we recognize our own requests if they come back. */
  readonly loopToken: string;
  readonly secureContext: SecureContext;
  readonly connectTimeoutMs: number;
  /** The port this proxy listens on. */
  readonly ownPort: () => number;
}

export const LOOP_HEADER = 'X-Content-Security-Agent';

export function createDialer(options: DialOptions): Dialer {
  const { upstreamProxy, upstreamPac, isDirect } = options;
  const isProxied = (host: string): boolean =>
    (upstreamProxy !== null || upstreamPac !== null) && !isDirect(host);
  return {
    isProxied,
    async dial(host, port) {
      if (!isProxied(host)) return dialBy(options, null, host, port);
      const routes = (await upstreamPac?.routesTo(host, port)) ?? [upstreamProxy];
      return dialFirst(options, routes, host, port);
    },
  };
}

/** Tries the next route only if the previous one does not connect; the last error is reported. */
async function dialFirst(
  options: DialOptions,
  routes: readonly ProxyRoute[],
  host: string,
  port: number,
): Promise<Socket> {
  const [route = null, ...others] = routes;
  try {
    return await dialBy(options, route, host, port);
  } catch (error) {
    if (others.length === 0 || (error as DialError).code === 'LOOP') throw error;
    return dialFirst(options, others, host, port);
  }
}

async function dialBy(options: DialOptions, route: ProxyRoute, host: string, port: number): Promise<Socket> {
  const target = route === null ? { host, port } : { host: hostOf(route), port: portOf(route) };
  if (target.port === options.ownPort() && isLoopback(target.host)) {
    throw new DialError('LOOP', 'This address is the agent itself.');
  }
  return route === null ? dialDirect(host, port, options) : dialThrough(options, route, host, port);
}

function hostOf(proxy: URL): string {
  return proxy.hostname.replace(/^\[|\]$/g, '');
}

function portOf(proxy: URL): number {
  return Number(proxy.port) || (proxy.protocol === 'https:' ? 443 : 80);
}

export function isLoopback(host: string): boolean {
  const address = host.startsWith('::ffff:') ? host.slice('::ffff:'.length) : host;
  return host === 'localhost' || host === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

/** Tries IPv6 and IPv4 in parallel, as Node does by default. */
function dialDirect(host: string, port: number, options: DialOptions): Promise<Socket> {
  const timeoutMs = options.connectTimeoutMs;
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true, allowHalfOpen: true });
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new DialError('ETIMEDOUT', `${host} did not respond within ${timeoutMs} ms.`));
    }, timeoutMs);
    const onError = (error: NodeJS.ErrnoException): void => {
      clearTimeout(timer);
      reject(
        new DialError(
          error.code ?? 'ECONNFAILED',
          `${host} could not be reached (${error.code ?? error.message}).`,
        ),
      );
    };
    socket.once('error', onError);
    socket.once('connect', () => {
      clearTimeout(timer);
      // This computer has many names and addresses; the connected address is unambiguous.
      if (port === options.ownPort() && isLoopback(socket.remoteAddress ?? '')) {
        socket.destroy();
        reject(new DialError('LOOP', 'This address is the agent itself.'));
        return;
      }
      socket.off('error', onError);
      resolve(socket);
    });
  });
}

function dialThrough(options: DialOptions, proxy: URL, host: string, port: number): Promise<Socket> {
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const isTls = proxy.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const name = hostOf(proxy);
    const settings: RequestOptions = {
      host: name,
      port: portOf(proxy),
      method: 'CONNECT',
      path: authority,
      agent: false,
      timeout: options.connectTimeoutMs,
      headers: {
        host: authority,
        [LOOP_HEADER]: options.loopToken,
        ...(proxy.username !== '' && { 'proxy-authorization': basicAuth(proxy) }),
      },
      // Node would take the name from the Host header, which names the target behind the proxy.
      ...(isTls && { secureContext: options.secureContext, servername: isIP(name) === 0 ? name : '' }),
    };
    const request = (isTls ? httpsRequest : httpRequest)(settings);
    request.once('connect', (response, socket, head) => {
      if (response.statusCode !== 200) {
        socket.destroy();
        const wants = response.statusCode === 407 ? ` ${missingCredentials(response.headersDistinct)}` : '';
        reject(
          new DialError(
            `PROXY_${response.statusCode}`,
            `The proxy ${proxy.host} refused to connect to ${host} (${response.statusCode}).${wants}`,
          ),
        );
        return;
      }
      if (head.length > 0) socket.unshift(head);
      socket.setTimeout(0);
      (socket as Socket).setNoDelay(true);
      resolve(socket as Socket);
    });
    request.once('timeout', () => request.destroy(new Error('ETIMEDOUT')));
    request.once('response', (response) => {
      response.destroy();
      reject(new DialError('PROXY_ODD', `The proxy ${proxy.host} does not support CONNECT.`));
    });
    request.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        new DialError(
          error.code ?? 'PROXY_FAILED',
          `The proxy ${proxy.host} could not be reached (${error.code ?? error.message}).`,
        ),
      );
    });
    request.end();
  });
}

/** Negotiate and NTLM need the computer's own account, which this process cannot use. */
function missingCredentials({ 'proxy-authenticate': offers = [] }: NodeJS.Dict<string[]>): string {
  const schemes = offers
    .map((offer) => /^[\w-]+/.exec(offer.trim())?.[0] ?? '')
    .filter((name) => name !== '');
  if (schemes.length === 0 || schemes.some((scheme) => /^basic$/i.test(scheme)))
    return 'It requires a user name and a password.';
  return `It supports only ${schemes.join(' and ')}, but the agent can only use Basic. Ask for a proxy, or an exception, that allows Basic.`;
}

function basicAuth(proxy: URL): string {
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}
