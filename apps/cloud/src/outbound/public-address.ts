import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Range = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];
const cidr = (text: string): Range => ipaddr.parseCIDR(text) as Range;

/** Public by the registry, yet answered by the machine's own cloud. */
const NEVER_PUBLIC_V4 = [cidr('168.63.129.16/32')];

/** The only part of IPv6 that IANA gives out (RFC 4291, 2.4), and what in it is not an ordinary host. */
const GLOBAL_V6 = cidr('2000::/3');
const NEVER_PUBLIC_V6 = [
  '2001::/23', // IETF protocol assignments: Teredo (it embeds an IPv4 address), benchmarking, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4 embeds an IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation (RFC 9637)
].map(cidr);

/**
 * Whether an address text is an ordinary host of the public internet. Everything else is refused: private, local,
 * shared, reserved, multicast, documentation, and every IPv6 form that carries an IPv4 address in it (mapped,
 * compatible, translated, NAT64, 6to4, Teredo, ISATAP), because who unpacks it decides where it leads.
 */
export function isPublicAddress(text: string): boolean {
  // Node's reading is the strict one; ipaddr.js also takes octal, hex and short spellings.
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
