/**
 * Module outbound: the only guard of every URL that a tenant can choose. Used by upstream, scrape and webhooks for all
 * connections. Fetches nothing itself and does not know what is fetched.
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
 * Returns an undici connector that opens sockets to public addresses only. The name is resolved once, every address is
 * checked, and the socket gets exactly the checked addresses, so a later change of the DNS response has no effect.
 * Fails with AddressDenied.
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
          // undici omits the socket if there is none, contrary to its types.
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

/** A dispatcher for `undici.request` and `fetch` for tenants. Follows no redirects: check each with `checkUrl`. */
export function guardedDispatcher(rules: GuardRules = {}): Agent {
  return new Agent({ connect: guardedConnector(rules), allowH2: false });
}

function pinTo(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    if (options.all === true) callback(null, [...addresses]);
    else callback(null, addresses[0]!.address, addresses[0]!.family);
  };
}
