import { headerText, type OwnReply, proxyReply } from '../exchange/events.ts';
import { normalHost } from '../inspect/match-hosts.ts';
import { isLoopback, LOOP_HEADER } from '../upstream/dial.ts';
import type { ConnectionTarget, HttpHeaders } from '../upstream/open-request.ts';
import type { ProxyConfig } from './messages.ts';
import { PROXY_PAGE } from './probe-proxy.ts';

/** Parses a request in absolute form into its target and path; null: it is meant for the proxy itself. */
export function plainTarget(address: string): { target: ConnectionTarget; path: string } | null {
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

export function loopReply(): OwnReply {
  return proxyReply(508, 'This address belongs to Content Security Agent itself.');
}
