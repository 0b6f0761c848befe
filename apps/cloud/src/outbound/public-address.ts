import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Range = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];
const cidr = (text: string): Range => ipaddr.parseCIDR(text) as Range;

/** Public according to the registry, but served by the cloud provider of the host. */
const NEVER_PUBLIC_V4 = [cidr('168.63.129.16/32')];

/** The only range of IPv6 that IANA assigns (RFC 4291, 2.4), and ranges in it that are not ordinary hosts. */
const GLOBAL_V6 = cidr('2000::/3');
const NEVER_PUBLIC_V6 = [
  '2001::/23', // IETF protocol assignments: Teredo (it embeds an IPv4 address), benchmarking, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4 embeds an IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation (RFC 9637)
].map(cidr);

/**
 * Returns true if the text is the address of an ordinary host on the public internet. Rejects everything else:
 * private, local, shared, reserved, multicast, documentation, and every IPv6 form that embeds an IPv4 address (mapped,
 * compatible, translated, NAT64, 6to4, Teredo, ISATAP), because the system that unpacks it chooses the destination.
 */
export function isPublicAddress(text: string): boolean {
  // Node's parser is strict; ipaddr.js also accepts octal, hex and short spellings.
  if (isIP(text) === 0 || text.includes('%')) return false;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv4) {
    return (
      address.range() === 'unicast' &&
      !NEVER_PUBLIC_V4.some((range) => address.match(range as [ipaddr.IPv4, number]))
    );
  }
  const within = (range: Range): boolean => address.match(range as [ipaddr.IPv6, number]);
  return within(GLOBAL_V6) && !NEVER_PUBLIC_V6.some(within) && !isIsatap(address);
}

/** RFC 5214, 6.1: an interface identifier of 0000:5efe or 0200:5efe and an IPv4 address. */
function isIsatap(address: ipaddr.IPv6): boolean {
  const [upper, lower] = [address.parts[4]!, address.parts[5]!];
  return lower === 0x5efe && (upper & ~0x0200) === 0;
}
