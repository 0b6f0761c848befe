import { BlockList, isIP } from 'node:net';

/** Addresses and ranges of an organization, ready to be asked. */
export interface AddressList {
  has(address: string): boolean;
}

/** `192.0.2.7`, `192.0.2.0/24`, `2001:db8::/48`: read strictly. null: none of these. */
export function parseRange(text: string): { readonly address: string; readonly bits: number | null } | null {
  const [, address = '', bits] = /^([^/]{1,45})(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? [];
  const family = isIP(address);
  if (family === 0 || address.includes('%')) return null;
  if (bits === undefined) return { address, bits: null };
  // A range of every address is no list.
  const isFine = Number(bits) >= 1 && Number(bits) <= (family === 4 ? 32 : 128);
  return isFine ? { address, bits: Number(bits) } : null;
}

/** null where the list is empty: any address may. An IPv4 address in IPv6 dress is held to the IPv4 ranges. */
export function createAddressList(ranges: readonly string[]): AddressList | null {
  if (ranges.length === 0) return null;
  const list = new BlockList();
  for (const text of ranges) {
    const range = parseRange(text);
    // The list is checked before it is stored; an invalid entry would admit no address.
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
