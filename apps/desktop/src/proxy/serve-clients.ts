import type { ClientEnd } from '../exchange/client-end.ts';
import { headerText, type OwnReply, proxyReply } from '../exchange/events.ts';
import { endWith, relayWebSocket } from '../exchange/relay-websocket.ts';
import { type ExchangeParts, type ExchangeRules, runExchange } from '../exchange/run-exchange.ts';
import { chooseTreatment } from '../inspect/choose-route.ts';
import { normalHost } from '../inspect/match-hosts.ts';
import { isLoopback, LOOP_HEADER } from '../upstream/dial.ts';
import type { ConnectionTarget, HttpHeaders } from '../upstream/open-request.ts';
import type { UpstreamPool } from '../upstream/upstream-pool.ts';
import type { ConnectClient } from './connect-client.ts';
import type { HandOn, PlainRequest, PlainTarget } from './hand-on.ts';
import type { FrontHandlers } from './http-front.ts';
import type { ProxyConfig } from './messages.ts';
import { PROXY_PAGE } from './probe-proxy.ts';

export interface ServedParts {
  readonly config: () => ProxyConfig;
  readonly ownPort: () => number;
  /** Returns the current rules. */
  readonly rules: () => ExchangeRules;
  readonly exchange: ExchangeParts;
  readonly pool: Pick<UpstreamPool, 'tlsAgent' | 'plainAgent'>;
  readonly connectClient: ConnectClient;
  readonly handOn: HandOn;
}

type TreatedRequest = Pick<ClientEnd['head'], 'version' | 'authority' | 'headers'>;

/** Handles all requests of clients. */
export function serveClients(parts: ServedParts): FrontHandlers {
  const { config, ownPort } = parts;

  function exchange(target: ConnectionTarget, client: ClientEnd): void {
    if (target.host === config().probeHost) client.reply(probeReply(config()));
    else runExchange(parts.exchange, parts.rules(), target, client);
  }

  /** Handles `GET http://host/path`, and requests for the proxy's own port. */
  function exchangePlain(client: ClientEnd, request: PlainRequest | undefined): void {
    const { path, headers } = client.head;
    const plain = plainTarget(path);
    if (plain === null) {
      client.reply(pageFor(path, headers, config()));
      return;
    }
    const { target } = plain;
    const isLoop = isOwnRequest(headers, config()) || (target.port === ownPort() && isLoopback(target.host));
    if (isLoop) client.reply(loopReply());
    else if (request !== undefined && passesUnread(target.host, client.head)) {
      parts.exchange.counters.requests++;
      parts.handOn.web(plain, request);
    } else exchange(target, { ...client, head: { ...client.head, path: plain.path } });
  }

  function passesUnread(host: string, { version, authority, headers }: TreatedRequest): boolean {
    const contentType = headerText(headers, 'content-type');
    const treated = { host, authority, version, contentType };
    return host !== config().probeHost && chooseTreatment(parts.rules().compiled, treated) === 'pass';
  }

  return {
    exchange: (target, client, plain) =>
      target === null ? exchangePlain(client, plain) : exchange(target, client),
    upgrade(target, request, socket, first) {
      const address = request.url ?? '/';
      const to = target === null ? plainTarget(address) : { target, path: address };
      if (to === null) return endWith(socket, 400, 'Bad Request');
      if (request.headers.upgrade?.toLowerCase() !== 'websocket')
        return endWith(socket, 501, 'Not Implemented');
      const { headers } = request;
      const head: TreatedRequest = { version: '1.1', authority: headers.host ?? '', headers };
      if (target === null && passesUnread(to.target.host, head))
        return parts.handOn.upgrade(to, request, socket, first);
      void relayWebSocket(parts.exchange, parts.rules(), parts.pool, { ...to, request, socket, head: first });
    },
    connect(request, socket) {
      if (isOwnRequest(request.headers, config())) return endWith(socket, 508, 'Loop Detected');
      parts.connectClient(request.url ?? '', socket).catch(() => socket.destroy());
    },
  };
}

/** Parses a request in absolute form into its target and path; null: it is meant for the proxy itself. */
export function plainTarget(address: string): PlainTarget | null {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'ws:')) return null;
  const target = { host: normalHost(url.hostname), port: Number(url.port) || 80, isTls: false };
  return { target, path: `${url.pathname}${url.search}` };
}

/** The response to a request for the proxy's own port. */
export function pageFor(path: string, headers: HttpHeaders, { pac }: ProxyConfig): OwnReply {
  const host = normalHost(headerText(headers, 'host').replace(/:\d+$/, ''));
  if (path.replace(/\?.*$/, '') !== '/proxy.pac' || pac === null || !isLoopback(host))
    return proxyReply(404, PROXY_PAGE);
  return { status: 200, contentType: 'application/x-ns-proxy-autoconfig', body: pac, eventId: null };
}

/** A response proves that the event loop runs; the token proves that the proxy is ours. */
export function probeReply({ loopToken }: ProxyConfig): OwnReply {
  return { status: 200, contentType: 'text/plain', body: loopToken, eventId: null };
}

export function isOwnRequest(headers: HttpHeaders, { loopToken }: ProxyConfig): boolean {
  return headers[LOOP_HEADER.toLowerCase()] === loopToken;
}

function loopReply(): OwnReply {
  return proxyReply(508, 'This address belongs to Content Security Agent itself.');
}
