import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { AddressDenied } from './address-denied.ts';
import { isPublicAddress } from './public-address.ts';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Returns every address of a name, in the order in which to try them. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

const resolveBySystem: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true, order: 'verbatim' })) as ResolvedAddress[];

export interface ResolveRules {
  readonly allowPrivate?: boolean | undefined;
  /** Default: the system's resolver. */
  readonly resolve?: Resolve | undefined;
}

/**
 * Returns the addresses of a host, all of them checked: a single address that is not public denies the whole name,
 * since an attacker controls their order. Connect to these addresses and to nothing else. Throws AddressDenied
 * `unresolvable` or `private_address`.
 */
export async function resolveChecked(
  hostname: string,
  rules: ResolveRules = {},
): Promise<readonly ResolvedAddress[]> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  let addresses: readonly ResolvedAddress[];
  if (family !== 0) addresses = [{ address: host, family: family as 4 | 6 }];
  else {
    try {
      addresses = await (rules.resolve ?? resolveBySystem)(host);
    } catch (error) {
      throw new AddressDenied('unresolvable', error);
    }
  }
  if (addresses.length === 0) throw new AddressDenied('unresolvable');
  if (rules.allowPrivate !== true && !addresses.every((entry) => isPublicAddress(entry.address))) {
    throw new AddressDenied('private_address');
  }
  return addresses;
}
