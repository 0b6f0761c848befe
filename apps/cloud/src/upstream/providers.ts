import { CodedError } from '@csg/shared/contract';
import { type Provider as Definition, PROVIDERS } from '@csg/shared/providers';
import { createProvider, type Provider } from './provider.ts';
import { type ProviderRow, readProviderRows } from './provider-row.ts';

export type { Provider } from './provider.ts';

export interface ProviderSettings {
  /** Base URL without `/v1`, by the provider's name. Default: its public URL. */
  readonly urlOf?: (name: string) => string | undefined;
  /** Region of Amazon credentials that name none. */
  readonly awsRegion?: string | undefined;
  /** Parsed JSON of PROVIDERS_FILE: a list of rows (shape: provider-row.ts). */
  readonly extra?: unknown;
}

/**
 * Returns the providers of this instance, the operator's own first so that their model patterns win. Throws an `Error`
 * for the operator at startup that lists every problem of the settings.
 */
export function createProviders(settings: ProviderSettings = {}): readonly Provider[] {
  const { rows: own, problems } = readProviderRows(settings.extra ?? []);
  const builtIn = PROVIDERS.flatMap((known) =>
    rowOf(known, settings.urlOf?.(known.name) ?? known.baseUrl ?? undefined),
  );
  const names = new Set(builtIn.map((row) => row.name));
  for (const row of own) {
    if (names.has(row.name)) problems.push(`provider "${row.name}": the name is already in use`);
    names.add(row.name);
  }
  const providers: Provider[] = [];
  for (const row of [...own, ...builtIn]) {
    try {
      providers.push(createProvider(row, settings.awsRegion));
    } catch (error) {
      problems.push(`provider "${row.name}": ${(error as Error).message}`);
    }
  }
  if (problems.length > 0) throw new Error(`The provider settings are invalid: ${problems.join('; ')}.`);
  return providers;
}

/** Returns the row of a built-in provider, in the form that an operator would write. */
function rowOf(known: Definition, baseUrl: string | undefined): ProviderRow[] {
  if (baseUrl === undefined) return [];
  const { name, label, endpoints, credential, headers, models } = known;
  const namesOf = (picked: typeof endpoints) => picked.map((endpoint) => endpoint.name);
  return [
    {
      name,
      label,
      base_url: baseUrl,
      dialects: namesOf(endpoints),
      default_for: namesOf(endpoints.filter(({ isDefault }) => isDefault)),
      credential: credential?.carrier ?? 'bearer',
      bearer_dialects: namesOf(endpoints.filter(({ isBearer }) => isBearer)),
      bearer_prefixes: credential?.bearerPrefixes ?? [],
      // Also accepts tokens of another provider.
      credential_prefixes: credential?.bearerPrefixes ?? [],
      model_patterns: models ?? [],
      pass_headers: headers?.pass ?? [],
      default_headers: headers?.defaults ?? {},
      reply_headers: headers?.reply ?? [],
      request_id_header: headers?.requestId ?? 'x-request-id',
    },
  ];
}

export interface ProviderSelector {
  /** Name of an endpoint. */
  readonly endpoint: string;
  /** The body's `model`; null or undefined if it has none. */
  readonly model?: string | null | undefined;
  /** Value of `X-Service-Provider`. */
  readonly named?: string | undefined;
}

/**
 * Returns the named provider; else the first with the endpoint and a pattern that matches the model; else
 * the first with the endpoint as its default. Throws CodedError `invalid_request` if the named one is
 * unknown or lacks the endpoint.
 */
export function chooseProvider(providers: readonly Provider[], selector: ProviderSelector): Provider {
  const { endpoint, model } = selector;
  if (selector.named !== undefined && selector.named !== '')
    return findNamed(providers, selector.named, endpoint);
  if (typeof model === 'string') {
    for (const provider of providers) {
      if (provider.endpoints.has(endpoint) && provider.matchesModel(model)) return provider;
    }
  }
  for (const provider of providers) if (provider.defaultFor.has(endpoint)) return provider;
  const known = PROVIDERS.find((one) => one.endpoints.some(({ name }) => name === endpoint));
  const setting = `PROVIDER_${known?.name.toUpperCase().replaceAll('-', '_')}_URL`;
  throw new CodedError('invalid_request', {
    message:
      known === undefined
        ? 'No provider is configured for this endpoint.'
        : `${known.label} is not configured here. Ask the operator to set ${setting}.`,
  });
}

function findNamed(providers: readonly Provider[], named: string, endpoint: string): Provider {
  const name = named.trim().toLowerCase();
  const provider = providers.find((row) => row.name === name);
  if (provider === undefined) {
    throw new CodedError('invalid_request', {
      message: 'X-Service-Provider names a provider that is not configured here.',
      fields: { valid_providers: providers.map((row) => row.name) },
    });
  }
  if (!provider.endpoints.has(endpoint)) {
    throw new CodedError('invalid_request', { message: `${provider.label} does not offer this endpoint.` });
  }
  return provider;
}
