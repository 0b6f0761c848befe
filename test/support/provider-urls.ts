import { PROVIDERS } from '@csg/shared/providers';

/** Settings that direct every built-in provider to one address. */
export function providerUrls(url: string): Record<string, string> {
  const builtIn = PROVIDERS.filter(({ baseUrl }) => baseUrl !== undefined);
  return Object.fromEntries(
    builtIn.map(({ name }) => [`PROVIDER_${name.toUpperCase().replaceAll('-', '_')}_URL`, url]),
  );
}
