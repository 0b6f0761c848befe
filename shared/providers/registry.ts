import { anthropic } from './anthropic/provider.ts';
import { azure } from './azure/provider.ts';
import { bedrock } from './bedrock/provider.ts';
import { compatibleProviders } from './compatible/provider.ts';
import { createFormat, createWebAppFormat } from './create-format.ts';
import { gemini } from './gemini/provider.ts';
import { openai } from './openai/provider.ts';
import {
  AWS_SIGNATURE,
  type CredentialRule,
  type Endpoint,
  type Provider,
  type WebAppTable,
} from './provider.ts';
import { compileRules, type Rules, wordsOf } from './reading/rules.ts';
import type { FormatTable } from './tables.ts';
import { vertex } from './vertex/provider.ts';
import { webApps } from './web-apps/provider.ts';
import type { WireFormat } from './wire-format.ts';

/** All model providers, for relays, devices, telemetry, fuzzing, tests and documentation. */
export const PROVIDERS: readonly Provider[] = [
  anthropic,
  openai,
  gemini,
  azure,
  vertex,
  bedrock,
  ...compatibleProviders,
  ...webApps,
];

/** All endpoints by name; if providers share one, that of the first. */
export const ENDPOINTS: ReadonlyMap<string, Endpoint> = firstByName(
  PROVIDERS.flatMap(({ endpoints }) => endpoints),
);

function firstByName(endpoints: readonly Endpoint[]): ReadonlyMap<string, Endpoint> {
  const byName = new Map<string, Endpoint>();
  for (const endpoint of endpoints) if (!byName.has(endpoint.name)) byName.set(endpoint.name, endpoint);
  return byName;
}

/** Endpoints of programs, which have a contract; chat pages have none. */
export const API_ENDPOINTS: readonly Endpoint[] = [...ENDPOINTS.values()].filter(
  ({ format }) => !isWebApp(format),
);

/**
 * Hosts of AI providers: exactly those that an enrolled device opens. `*.` matches any subdomain. An organization can
 * add hosts, or exclude some (bypass_hosts).
 */
export const AI_HOSTS: readonly string[] = [
  ...new Set(PROVIDERS.flatMap(({ hosts, opened }) => opened ?? hosts)),
];

/** Headers that carry a provider's credential. */
export const CREDENTIAL_HEADERS: ReadonlySet<string> = new Set(
  PROVIDERS.flatMap(({ credential }) => (credential === undefined ? [] : [headerOf(credential.carrier)])),
);

function headerOf(carrier: CredentialRule['carrier']): string {
  return carrier === 'bearer' || carrier === AWS_SIGNATURE ? 'authorization' : carrier;
}

/** Returns the provider of a credential; undefined if its form does not show it. */
export function ownerOfCredential(credential: string): Provider | undefined {
  for (const { prefix, provider } of CREDENTIAL_PREFIXES) if (credential.startsWith(prefix)) return provider;
  return undefined;
}

const CREDENTIAL_PREFIXES = PROVIDERS.flatMap((provider) =>
  (provider.credential?.prefixes ?? []).map((prefix) => ({ prefix, provider })),
);

export function isWebApp(format: FormatTable | WebAppTable): format is WebAppTable {
  return 'authors' in format;
}

const tables = new Set(PROVIDERS.flatMap(({ endpoints }) => endpoints.map(({ format }) => format)));
export const FORMAT_TABLES = [...tables].filter((table): table is FormatTable => !isWebApp(table));

/** Exact words of the providers, which the reader leaves out. */
export const WORDS = wordsOf(FORMAT_TABLES);

/** Rules without a table: every text is read, and joined in streams. */
export const UNKNOWN_RULES: Rules = compileRules(null, FORMAT_TABLES, WORDS);

/** The service's own bodies contain messages of every provider. */
export const GUARD_RULES: Rules = compileRules(guardTable(), FORMAT_TABLES, WORDS);

const formats = new Map<FormatTable | WebAppTable, WireFormat>(
  [...tables].map((table) => [
    table,
    isWebApp(table)
      ? createWebAppFormat(table, UNKNOWN_RULES)
      : createFormat(table, compileRules(table, FORMAT_TABLES, WORDS)),
  ]),
);

/** Returns how the bodies of an endpoint are read and rejected. */
export function formatOf({ format }: Pick<Endpoint, 'format'>): WireFormat {
  return formats.get(format) as WireFormat;
}

/** Throws if no endpoint has this name. */
export function endpointByName(name: string): Endpoint {
  const endpoint = ENDPOINTS.get(name);
  if (endpoint === undefined) throw new Error(`there is no endpoint ${name}`);
  return endpoint;
}

/** Returns the format of the endpoint with this name. */
export function formatByName(name: string): WireFormat {
  return formatOf(endpointByName(name));
}

function guardTable(): FormatTable {
  const [first] = FORMAT_TABLES;
  const blocks = FORMAT_TABLES.map((table) => table.blocks);
  const firstOf = <T>(tables: readonly Readonly<Record<string, T>>[]): Record<string, T> =>
    Object.assign({}, ...tables.toReversed());
  return {
    ...(first as FormatTable),
    name: 'guard',
    request: {
      conversation: 'messages',
      shape: 'any object',
      members: {},
      roles: { model: 'assistant', ...firstOf(FORMAT_TABLES.map(({ request }) => request.roles)) },
    },
    blocks: {
      members: firstOf(blocks.map(({ members }) => members)),
      types: firstOf(blocks.map(({ types }) => types)),
    },
  };
}
