import type { Steps } from '@csg/shared/text';
import ipaddr from 'ipaddr.js';
import { readHosts } from './read-hosts.ts';

/** What an address of a call reaches: this computer or its link, or what gives a cloud's machine its credentials. */
export type InnerAddress = 'own' | 'metadata';

const OWN_NAME =
  /^(?:localhost|.*\.localhost|localhost\.localdomain|ip6-localhost|ip6-loopback|(?:.*\.)?(?:localtest\.me|lvh\.me|lacolhost\.com|vcap\.me)|(?:host|gateway|kubernetes)\.docker\.internal|host\.containers\.internal)\.?$/;
const METADATA_NAME =
  /^(?:metadata|metadata\.(?:google\.internal|goog|azure\.(?:internal|com)|tencentyun\.com)|instance-data(?:\.ec2\.internal)?)\.?$/;
/** Services that resolve any name with an embedded address to that address. */
const NAMED_IPV4 = /^(?:.*[.-])?(?:(\d{1,3}(?:[.-]\d{1,3}){3})|([\da-f]{8}))\.(?:nip|sslip|xip)\.io\.?$/;
const NAMED_IPV6 = /^(?:.*\.)?([\da-f]*-[\da-f-]*-[\da-f]*)\.sslip\.io\.?$/;

const METADATA_ADDRESSES: ReadonlySet<string> = new Set([
  ...[
    '169.254.169.254',
    '169.254.170.2',
    '169.254.170.23',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
  ],
  ...['fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254'],
]);
const INNER_RANGES: ReadonlySet<string> = new Set(['loopback', 'linkLocal', 'unspecified']);
/** Every form that the package reads as an address; a host is in the standard form. */
const MAY_BE_ADDRESS = /^[\d.]+$|^0x|:/;

/** Returns what a value of the argument `name` reaches; null: neither. */
export function* innerAddressIn(value: string, name: string): Steps<InnerAddress | null> {
  let worst: InnerAddress | null = null;
  yield* readHosts(value, name, ({ host, isVague }) => {
    if (!isVague && worst !== 'metadata') worst = innerHost(host) ?? worst;
  });
  return worst;
}

function innerHost(host: string): InnerAddress | null {
  if (OWN_NAME.test(host)) return 'own';
  if (METADATA_NAME.test(host)) return 'metadata';
  const address = namedAddress(host) ?? host;
  // Most hosts are names, and the package finds that out slowly.
  if (!MAY_BE_ADDRESS.test(address) || !ipaddr.isValid(address)) return null;
  const parsed = ipaddr.process(address);
  const reached = parsed instanceof ipaddr.IPv6 ? [parsed, ...embedded(parsed)] : [parsed];
  if (reached.some((one) => METADATA_ADDRESSES.has(one.toString()))) return 'metadata';
  return reached.some((one) => INNER_RANGES.has(one.range())) ? 'own' : null;
}

function namedAddress(host: string): string | undefined {
  if (!host.includes('ip.io')) return undefined;
  const [, numbers, hex] = NAMED_IPV4.exec(host) ?? [];
  if (hex !== undefined) return `0x${hex}`;
  return numbers?.replaceAll('-', '.') ?? NAMED_IPV6.exec(host)?.[1]?.replaceAll('-', ':');
}

/** Returns the IPv4 address that a translator or tunnel takes out of one of IPv6. */
function embedded(address: ipaddr.IPv6): ipaddr.IPv4[] {
  const { parts } = address;
  const isZero = (from: number, to: number): boolean => parts.slice(from, to).every((part) => part === 0);
  const ipv4 = (at: number, mask = 0): ipaddr.IPv4[] => {
    const [upper, lower] = [parts[at]! ^ mask, parts[at + 1]! ^ mask];
    return [new ipaddr.IPv4([upper >> 8, upper & 255, lower >> 8, lower & 255])];
  };
  // Compatible (::127.0.0.1) and translated (::ffff:0:127.0.0.1).
  if (isZero(0, 6)) return parts[6] === 0 ? [] : ipv4(6);
  if (isZero(0, 4) && parts[4] === 0xffff && parts[5] === 0) return ipv4(6);
  // NAT64, 6to4, Teredo and ISATAP.
  if (parts[0] === 0x64 && parts[1] === 0xff9b) return ipv4(6);
  if (parts[0] === 0x2002) return ipv4(1);
  if (parts[0] === 0x2001 && parts[1] === 0) return ipv4(6, 0xffff);
  if ((parts[4]! & ~0x200) === 0 && parts[5] === 0x5efe) return ipv4(6);
  return [];
}
