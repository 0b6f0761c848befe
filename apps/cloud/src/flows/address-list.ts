import { BlockList, isIP } from 'node:net';

/** An organization's addresses and ranges, ready for lookups. */
export interface AddressList {
  has(address: string): boolean;
}

/** Parses `192.0.2.7`, `192.0.2.0/24` or `2001:db8::/48` strictly; returns null for anything else. */
export function parseRange(text: string): { readonly address: string; readonly bits: number | null } | null {
  const [, address = '', bits] = /^([^/]{1,45})(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? [];
  const family = isIP(address);
  if (family === 0 || address.includes('%')) return null;
  if (bits === undefined) return { address, bits: null };
  // A range of all addresses restricts nothing.
  const isFine = Number(bits) >= 1 && Number(bits) <= (family === 4 ? 32 : 128);
  return isFine ? { address, bits: Number(bits) } : null;
}

/** Returns null if the list is empty: any address is allowed. IPv4 ranges also apply to IPv4-mapped IPv6 addresses. */
export function createAddressList(ranges: readonly string[]): AddressList | null {
  if (ranges.length === 0) return null;
  const list = new BlockList();
  for (const text of ranges) {
    const range = parseRange(text);
    // Entries are validated before they are stored; an invalid one allows no address.
    if (range === null) continue;
    const family = familyOf(range.address);
    if (range.bits === null) list.addAddress(range.address, family);
    else list.addSubnet(range.address, range.bits, family);
  }
  return { has: (address) => isIP(address) !== 0 && list.check(address, familyOf(address)) };
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
