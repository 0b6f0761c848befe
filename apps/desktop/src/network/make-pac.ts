export interface PacOptions {
  /** Of the proxy on loopback. */
  readonly port: number;
  /** As in a policy: `api.openai.com`, `*.openai.com`. */
  readonly hosts: readonly string[];
  readonly bypassHosts: readonly string[];
  /** Where an AI host must not be reached without the proxy there is no way round it. */
  readonly failClosed: boolean;
  /** Where everything else goes, as PAC writes it: `DIRECT`, or the company's `PROXY host:port`. */
  readonly otherwise: string;
}

/**
 * A PAC file: AI hosts to the proxy, everything else where it went before. With the proxy dead browsers take the next
 * entry, so pages keep loading.
 */
export function makePac(options: PacOptions): string {
  const way = options.failClosed
    ? `PROXY 127.0.0.1:${options.port}`
    : `PROXY 127.0.0.1:${options.port}; ${options.otherwise}`;
  return `// content-security-agent
function FindProxyForURL(url, host) {
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
  if (matches(bypassed, bypassedSuffixes) || !matches(names, suffixes)) return ${JSON.stringify(options.otherwise)};
  return ${JSON.stringify(way)};
}
`;
}

function namesOf(hosts: readonly string[], isSuffix: boolean): string[] {
  return hosts
    .map((host) => host.toLowerCase())
    .filter((host) => host.startsWith('*.') === isSuffix)
    .map((host) => (isSuffix ? host.slice(1) : host));
}

/** An address that holds the file itself: there when the agent is not, as failing closed needs. */
export function pacDataUrl(pac: string): string {
  return `data:application/x-ns-proxy-autoconfig;name=content-security-agent;base64,${Buffer.from(pac).toString('base64')}`;
}
