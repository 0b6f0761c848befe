import ipaddr from 'ipaddr.js';

/** Returns the network that one attacker is assumed to control: an IPv4 address, or an IPv6 network of 64 bits. */
export function networkOf(address: string): string {
  // Fast path for IPv4 addresses, which are the most common.
  if (!address.includes(':') || !ipaddr.isValid(address)) return address;
  // IPv4-mapped IPv6 addresses count as IPv4.
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6
    ? parsed.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')
    : parsed.toString();
}
