import { normalHost } from '../../inspect/compile-policy.ts';
import type { WayRound } from '../../network/make-pac.ts';
import { compilePac, createCompanyPac, readPac, readWays } from '../../upstream/company-pac.ts';
import { isLoopback } from '../../upstream/dial.ts';
import type { AgentSettings } from '../settings/read-settings.ts';
import { foreignProxy, type Machine } from './machine-parts.ts';

/**
 * The company's proxy on the way to the service, with user and password; null: straight. The service itself on loopback
 * needs none.
 */
export async function findServiceProxy(
  { companyPac, upstreamProxy }: Pick<AgentSettings, 'companyPac' | 'upstreamProxy'>,
  server: string,
): Promise<string | null> {
  const { hostname, protocol, port } = new URL(server);
  const host = normalHost(hostname);
  if (isLoopback(host)) return null;
  if (companyPac === null) return upstreamProxy;
  const credentials = upstreamProxy === null ? null : new URL(upstreamProxy);
  const pac = createCompanyPac({ address: companyPac, now: () => 0, credentials });
  const ways = await pac.waysTo(host, Number(port) || (protocol === 'https:' ? 443 : 80));
  return ways === null ? upstreamProxy : (ways[0]?.href ?? null);
}

export type FoundWay =
  | { readonly kind: 'found'; readonly otherwise: WayRound }
  /** Apps must be left alone; why, for a person. */
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * Where apps go that are not led to the proxy, and where they go round it: straight out, by the company's proxy, or as
 * its PAC file says, where somebody named one. A setting of the machine that nobody named is left as it is.
 */
export async function findWayRound(
  { companyPac, upstreamProxy }: Pick<AgentSettings, 'companyPac' | 'upstreamProxy'>,
  machine: Machine,
): Promise<FoundWay> {
  if (companyPac !== null) {
    try {
      const text = await readPac(companyPac);
      const find = await compilePac(text);
      // A file that breaks would break ours with it.
      if (readWays(await find('https://example.com/', 'example.com'), null) === null)
        throw new Error('no way');
      return { kind: 'found', otherwise: { companyPac: text } };
    } catch {
      return {
        kind: 'unknown',
        reason: `The company's PAC file ${companyPac} cannot be used, so apps were left alone.`,
      };
    }
  }
  if (upstreamProxy !== null) {
    const { protocol, host } = new URL(upstreamProxy);
    return { kind: 'found', otherwise: `${protocol === 'https:' ? 'HTTPS' : 'PROXY'} ${host}` };
  }
  const foreign = await foreignProxy(machine);
  return foreign === null ? { kind: 'found', otherwise: 'DIRECT' } : { kind: 'unknown', reason: foreign };
}
