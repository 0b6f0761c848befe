import { createHash } from 'node:crypto';
import { PAC_MARK } from './pac-mark.ts';

export interface PacOptions {
  /** Port of the proxy on loopback. */
  readonly port: number;
  /** Syntax as in a policy: `api.openai.com`, `*.openai.com`. */
  readonly hosts: readonly string[];
  readonly bypassHosts: readonly string[];
  /** If true, AI hosts have no fallback and are unreachable without the proxy. */
  readonly failClosed: boolean;
  readonly otherwise: FallbackProxy;
}

/** The route of all other traffic: in PAC syntax (`DIRECT`, `PROXY host:port`), or the company's own PAC file. */
export type FallbackProxy = string | { readonly upstreamPac: string };

/**
 * Creates a PAC file that routes AI hosts to the proxy, and everything else as before. If the proxy is down, browsers
 * use the next entry, so pages keep loading.
 */
export function makePac(options: PacOptions): string {
  const { otherwise } = options;
  const ours = `PROXY 127.0.0.1:${options.port}`;
  const isFixed = typeof otherwise === 'string';
  const upstream = isFixed
    ? ''
    : `var company = (function () {\n${otherwise.upstreamPac}\nreturn FindProxyForURL;\n})();\n`;
  const round = isFixed ? JSON.stringify(otherwise) : 'company(url, host)';
  const route = options.failClosed ? JSON.stringify(ours) : `${JSON.stringify(`${ours}; `)} + ${round}`;
  return `// content-security-agent
${upstream}function FindProxyForURL(url, host) {
  host = host.toLowerCase();
  var names = ${JSON.stringify(namesOf(options.hosts, false))};
  var suffixes = ${JSON.stringify(namesOf(options.hosts, true))};
  var bypassed = ${JSON.stringify(namesOf(options.bypassHosts, false))};
  var bypassedSuffixes = ${JSON.stringify(namesOf(options.bypassHosts, true))};
  function matches(list, ends) {
    if (list.indexOf(host) !== -1) return true;
    for (var i = 0; i < ends.length; i++) {
      var at = host.length - ends[i].length;
      if (at > 0 && host.indexOf(ends[i], at) === at) return true;
    }
    return false;
  }
  if (matches(bypassed, bypassedSuffixes) || !matches(names, suffixes)) return ${round};
  return ${route};
}
`;
}

function namesOf(hosts: readonly string[], isSuffix: boolean): string[] {
  return hosts
    .map((host) => host.toLowerCase())
    .filter((host) => host.startsWith('*.') === isSuffix)
    .map((host) => (isSuffix ? host.slice(1) : host));
}

/**
 * Returns the address at which the proxy serves the file. Another file has another address, so browsers load a change
 * immediately.
 */
export function pacAddress(pac: string, port: number): string {
  const version = createHash('sha256').update(pac).digest('hex').slice(0, 12);
  return `http://127.0.0.1:${port}/proxy.pac?v=${version}#${PAC_MARK}`;
}

/** True for the setting of a policy that fails closed: it stays if a process of the agent dies. */
export function isClosedPac(url: string): boolean {
  return url.startsWith('data:');
}

/** Returns an address that contains the file itself: it works without the agent, as failing closed requires. */
export function pacDataUrl(pac: string): string {
  return `data:application/x-ns-proxy-autoconfig;name=content-security-agent;base64,${Buffer.from(pac).toString('base64')}`;
}
