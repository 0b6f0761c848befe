import type { ManualProxy } from './system-proxy.ts';

/** Returns the PAC file equivalent to individually configured proxies. `last`: tried if a proxy cannot be reached. */
export function companyPac({ https, http, socks, bypass }: ManualProxy, last: 'DIRECT' | null): string {
  const other = socks === null ? 'DIRECT' : `SOCKS ${socks}`;
  const route = (proxy: string | null): string =>
    JSON.stringify(proxy === null ? other : [`PROXY ${proxy}`, ...(last === null ? [] : [last])].join('; '));
  const conditions = bypass.map(conditionOf).filter((condition) => condition !== null);
  return `function FindProxyForURL(url, host) {
  host = host.toLowerCase();
  if (${['false', ...new Set(conditions)].join(' || ')}) return "DIRECT";
  return url.substring(0, 6) === "https:" ? ${route(https)} : ${route(http)};
}
`;
}

/** Without a PAC file, traffic is direct, as in browsers. */
export const DIRECT_PAC = 'function FindProxyForURL() { return "DIRECT"; }\n';

function conditionOf(entry: string): string | null {
  const name = entry.trim().toLowerCase();
  if (name === '<local>') return 'isPlainHostName(host)';
  const [network = '', bits] = name.split('/');
  if (bits !== undefined) return networkCondition(network, Number(bits));
  const pattern = name.replace(/^\[(.*)\](?::\d+)?$|^([^:]*):\d+$/, '$1$2');
  if (!/^[a-z0-9*._:-]+$/.test(pattern)) return null;
  if (pattern.includes('*')) return `shExpMatch(host, ${JSON.stringify(pattern)})`;
  return pattern.startsWith('.')
    ? `shExpMatch(host, ${JSON.stringify(`*${pattern}`)})`
    : `host === ${JSON.stringify(pattern)}`;
}

/** Matches only hosts that are IP addresses: names would need a DNS lookup each. macOS writes 169.254/16. */
function networkCondition(network: string, bits: number): string | null {
  if (!/^\d{1,3}(?:\.\d{1,3}){0,3}$/.test(network) || !(bits >= 0 && bits <= 32)) return null;
  const address = [...network.split('.'), '0', '0', '0'].slice(0, 4).join('.');
  const mask = [0, 8, 16, 24].map((from) => 256 - 2 ** (8 - Math.min(8, Math.max(0, bits - from))));
  return `(/^[0-9.]+$/.test(host) && isInNet(host, ${JSON.stringify(address)}, ${JSON.stringify(mask.join('.'))}))`;
}
