import { buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';

/** The proxy of a network without direct connections. */
export interface OutboundProxy {
  /** `http://user:password@host:port` or https. */
  readonly url: string;
  /** Hosts reached without it, as in NO_PROXY: `name` (with subdomains), `*.name`, `name:port`, comma-separated. */
  readonly bypass?: string | undefined;
}

/** The proxy was unreachable or not trusted. A rejection by the proxy has undici's own errors. */
export class ProxyUnavailableError extends Error {}

/**
 * Connects to providers by CONNECT, also for plain http, so that the bytes are the same with and without a
 * proxy. For https the proxy sees host names only. Ignores HTTPS_PROXY and similar variables, which are
 * often set for other purposes.
 */
export function openProxied(
  { url, bypass = '' }: OutboundProxy,
  options: Pool.Options & { readonly connectTimeout: number },
): Dispatcher {
  return new EnvHttpProxyAgent({
    ...options,
    httpProxy: url,
    httpsProxy: url,
    noProxy: bypass,
    proxyTunnel: true,
    clientFactory: (origin) =>
      new Pool(origin, {
        connect: connectorTo(options.connectTimeout),
        // Timeout of the response to CONNECT, which includes the proxy's own connect.
        headersTimeout: 2 * options.connectTimeout,
      }),
  });
}

function connectorTo(timeout: number): buildConnector.connector {
  const connect = buildConnector({ timeout, allowH2: false });
  return (options, callback) =>
    connect(options, (...result) => {
      if (result[0] == null) callback(...result);
      else
        callback(
          new ProxyUnavailableError('the outbound proxy cannot be reached', { cause: result[0] }),
          null,
        );
    });
}
