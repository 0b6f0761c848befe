import { normalHost } from '../../inspect/match-hosts.ts';
import type { FallbackProxy } from '../../network/make-pac.ts';
import { isLoopback } from '../../upstream/dial.ts';
import { compilePac, createUpstreamPac, parseRoutes, readPac } from '../../upstream/upstream-pac.ts';
import type { CompanyProxySettings } from './company-proxy.ts';
import { existingProxy, type HostSystem } from './host-system.ts';

/**
 * Returns the company's proxy for connections to the service, with user and password; null: direct. A service on
 * loopback needs none.
 */
export async function findServiceProxy(
  companyProxy: () => Promise<CompanyProxySettings>,
  server: string,
): Promise<string | null> {
  const { hostname, protocol, port } = new URL(server);
  const host = normalHost(hostname);
  if (isLoopback(host)) return null;
  const { upstreamPac, upstreamProxy } = await companyProxy();
  if (upstreamPac === null) return upstreamProxy;
  const credentials = upstreamProxy === null ? null : new URL(upstreamProxy);
  const pac = createUpstreamPac({ address: upstreamPac, now: () => 0, credentials });
  const routes = await pac.routesTo(host, Number(port) || (protocol === 'https:' ? 443 : 80));
  return routes === null ? upstreamProxy : (routes[0]?.href ?? null);
}

export type FallbackResult =
  | { readonly kind: 'found'; readonly otherwise: FallbackProxy }
  /** Apps must be left alone; `reason` is a sentence for the user. */
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * Determines the route of traffic outside our proxy: direct, through the company's proxy, or by its PAC file. A system
 * setting that is not ours stays unchanged.
 */
export async function findFallbackProxy(
  { upstreamPac, upstreamProxy }: CompanyProxySettings,
  hostSystem: HostSystem,
): Promise<FallbackResult> {
  if (upstreamPac !== null) {
    try {
      const text = await readPac(upstreamPac);
      const find = await compilePac(text);
      // A PAC file that fails would make ours fail too.
      if (parseRoutes(await find('https://example.com/', 'example.com'), null) === null)
        throw new Error('no way');
      return { kind: 'found', otherwise: { upstreamPac: text } };
    } catch {
      return {
        kind: 'unknown',
        reason: `The company's PAC file${upstreamPac.startsWith('data:') ? '' : ` ${upstreamPac}`} cannot be used, so the proxy setting was not changed.`,
      };
    }
  }
  if (upstreamProxy !== null) {
    const { protocol, host } = new URL(upstreamProxy);
    return { kind: 'found', otherwise: `${protocol === 'https:' ? 'HTTPS' : 'PROXY'} ${host}` };
  }
  const problem = await existingProxy(hostSystem);
  return problem === null ? { kind: 'found', otherwise: 'DIRECT' } : { kind: 'unknown', reason: problem };
}
