import { Resolver } from 'node:dns/promises';

const TIMEOUT_MS = 3_000;

/** Returns the TXT records of a name, each joined from its parts; empty if there are none or no server responds. */
export type ReadTxtRecords = (name: string) => Promise<readonly string[]>;

/** `servers`: addresses with an optional port; none: the system's servers. */
export function createTxtReader(servers: readonly string[] = []): ReadTxtRecords {
  return async (name) => {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 });
    if (servers.length > 0) resolver.setServers(servers);
    try {
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
    } catch {
      return [];
    }
  };
}
