/** This file does not import the engine, which the agent's own process does not load. */

/** `name` matches only itself, `*.name` every subdomain. */
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

/** Returns lower case, without the trailing dot or the brackets of an IPv6 address. */
export function normalHost(host: string): string {
  const name = host.toLowerCase();
  if (name.startsWith('[') && name.endsWith(']')) return name.slice(1, -1);
  return name.endsWith('.') ? name.slice(0, -1) : name;
}
