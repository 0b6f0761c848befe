/**
 * Room outbound: the one guard of every address that a tenant can choose. Stands below upstream, scrape and webhooks,
 * which all connect through it. Never fetches anything itself and knows nothing of what is fetched.
 */
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { AddressDenied } from './address-denied.ts';
import { checkHost, type UrlRules } from './check-url.ts';
import { isPublicAddress } from './public-address.ts';
import { type ResolvedAddress, type ResolveRules, resolveChecked } from './resolve-checked.ts';

export interface GuardRules extends UrlRules, ResolveRules {
  /** Default 10,000. */
  readonly connectTimeoutMs?: number | undefined;
}

/**
 * An undici connector that opens sockets to public addresses only. The name is resolved once, every answer is
 * checked, and the checked addresses are what the socket is given, so an answer that changes afterwards changes
 * nothing. Fails with AddressDenied.
 */
export function guardedConnector(rules: GuardRules = {}): buildConnector.connector {
  return (options, callback) => {
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
    const denyReason = checkHost(options.hostname, port, rules);
    if (denyReason !== null) {
      callback(new AddressDenied(denyReason), null);
      return;
    }
    resolveChecked(options.hostname, rules).then(
      (addresses) => {
        const connect = buildConnector({
          allowH2: false,
          timeout: rules.connectTimeoutMs ?? 10_000,
          lookup: pinTo(addresses),
        });
        connect(options, (...result) => {
          const socket = result[1];
          // undici leaves it out where there is none, whatever its types say.
          if (socket != null && rules.allowPrivate !== true && !isPublicAddress(socket.remoteAddress ?? '')) {
            socket.destroy();
            callback(new AddressDenied('private_address'), null);
            return;
          }
          callback(...result);
        });
      },
      (error: unknown) => callback(error as Error, null),
    );
  };
}

/** A dispatcher for `undici.request` and `fetch` on behalf of tenants. Follows no redirects: check each by `checkUrl`. */
export function guardedDispatcher(rules: GuardRules = {}): Agent {
  return new Agent({ connect: guardedConnector(rules), allowH2: false });
}

function pinTo(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    if (options.all === true) callback(null, [...addresses]);
    else callback(null, addresses[0]!.address, addresses[0]!.family);
  };
}
