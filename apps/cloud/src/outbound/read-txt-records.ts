import { Resolver } from 'node:dns/promises';

const TIMEOUT_MS = 3_000;

/** The TXT records of a name, each joined from its parts; none where the name has none or no server answers. */
export type ReadTxtRecords = (name: string) => Promise<readonly string[]>;

/** `servers`: addresses with or without a port; none: those of the system. */
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
