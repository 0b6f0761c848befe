/** Without the engine, which the agent's own process does not load. */

/** `name` matches itself alone, `*.name` every name below. */
export function hostMatcher(patterns: readonly string[]): (host: string) => boolean {
  const names = new Set<string>();
  const suffixes: string[] = [];
  for (const pattern of patterns) {
    const name = normalHost(pattern);
    if (name.startsWith('*.')) suffixes.push(name.slice(1));
    else names.add(name);
  }
  return (host) => {
    const name = normalHost(host);
    return names.has(name) || suffixes.some((suffix) => name.endsWith(suffix));
  };
}

/** Lower case, without the root's dot and an IPv6 address's brackets. */
export function normalHost(host: string): string {
  const name = host.toLowerCase();
  if (name.startsWith('[') && name.endsWith(']')) return name.slice(1, -1);
  return name.endsWith('.') ? name.slice(0, -1) : name;
}
