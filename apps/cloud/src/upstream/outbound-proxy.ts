import { buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';

/** The way out of a network without direct connections. */
export interface OutboundProxy {
  /** `http://user:password@host:port` or https. */
  readonly url: string;
  /** Hosts that are reached without it, as in NO_PROXY: `name` (with its subdomains), `*.name`, `name:port`, separated by commas. */
  readonly bypass?: string | undefined;
}

/** The proxy itself could not be reached, or not be trusted. That it refuses comes as undici's own errors. */
export class ProxyUnavailableError extends Error {}

/**
 * Connections to providers by CONNECT, also for plain http, so that the bytes are the same with and without a proxy. Of
 * https it sees names and no content. Nothing is read from HTTPS_PROXY and its like, often set for something else.
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
        // How long it may take to answer a CONNECT, which includes its own connecting.
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
