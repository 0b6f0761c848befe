import type { ClientEnd } from '../exchange/client-end.ts';
import { endWith, relayWebSocket } from '../exchange/relay-websocket.ts';
import { type ExchangeParts, type ExchangeRules, runExchange } from '../exchange/run-exchange.ts';
import { isLoopback } from '../upstream/dial.ts';
import type { ConnectionTarget } from '../upstream/open-request.ts';
import type { UpstreamPool } from '../upstream/upstream-pool.ts';
import type { ConnectClient } from './connect-client.ts';
import type { FrontHandlers } from './http-front.ts';
import type { ProxyConfig } from './messages.ts';
import { isOwnRequest, loopReply, pageFor, plainTarget, probeReply } from './own-pages.ts';

export interface ServedParts {
  readonly config: () => ProxyConfig;
  readonly ownPort: () => number;
  /** Returns the current rules. */
  readonly rules: () => ExchangeRules;
  readonly exchange: ExchangeParts;
  readonly pool: Pick<UpstreamPool, 'tlsAgent' | 'plainAgent'>;
  readonly connectClient: ConnectClient;
}

/** Handles all requests of clients. */
export function serveClients(parts: ServedParts): FrontHandlers {
  const { config, ownPort } = parts;

  function exchange(target: ConnectionTarget, client: ClientEnd): void {
    if (target.host === config().probeHost) client.reply(probeReply(config()));
    else runExchange(parts.exchange, parts.rules(), target, client);
  }

  /** Handles `GET http://host/path`, and requests for the proxy's own port. */
  function exchangePlain(client: ClientEnd): void {
    const { path, headers } = client.head;
    const plain = plainTarget(path);
    if (plain === null) {
      client.reply(pageFor(path, headers, config()));
      return;
    }
    const { target } = plain;
    const isLoop = isOwnRequest(headers, config()) || (target.port === ownPort() && isLoopback(target.host));
    if (isLoop) client.reply(loopReply());
    else exchange(target, { ...client, head: { ...client.head, path: plain.path } });
  }

  return {
    exchange: (target, client) => (target === null ? exchangePlain(client) : exchange(target, client)),
    upgrade(target, request, socket, head) {
      const address = request.url ?? '/';
      const to = target === null ? plainTarget(address) : { target, path: address };
      if (to === null) return endWith(socket, 400, 'Bad Request');
      if (request.headers.upgrade?.toLowerCase() !== 'websocket')
        return endWith(socket, 501, 'Not Implemented');
      relayWebSocket(parts.exchange, parts.rules(), parts.pool, { ...to, request, socket, head });
    },
    connect(request, socket) {
      if (isOwnRequest(request.headers, config())) return endWith(socket, 508, 'Loop Detected');
      parts.connectClient(request.url ?? '', socket).catch(() => socket.destroy());
    },
  };
}
