import ipaddr from 'ipaddr.js';

/** What one guesser can be expected to have: an IPv4 address, or all of an IPv6 network of 64 bits. */
export function networkOf(address: string): string {
  // An IPv4 address stands for itself, and most are.
  if (!address.includes(':') || !ipaddr.isValid(address)) return address;
  // IPv4 in IPv6 dress is IPv4.
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6
    ? parsed.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')
    : parsed.toString();
}
