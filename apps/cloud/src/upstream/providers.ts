import { CodedError } from '@csg/shared/contract';
import { BUILT_IN_ROWS } from './built-in-providers.ts';
import { createProvider, type Provider } from './provider.ts';
import type { ProviderDialect } from './provider-dialects.ts';
import { readProviderRows } from './provider-row.ts';

export type { Provider } from './provider.ts';

export interface ProviderSettings {
  /** Base addresses without `/v1`. Default: the vendor's public address. */
  readonly openaiUrl?: string | undefined;
  readonly anthropicUrl?: string | undefined;
  /** Parsed JSON of PROVIDERS_FILE: a list of rows (shape: provider-row.ts). */
  readonly extra?: unknown;
}

/**
 * The vendors of this instance, the operator's own rows first so that their model patterns win.
 * Throws `Error` whose message lists every fault of the settings; for the operator, at start.
 */
export function createProviders(settings: ProviderSettings = {}): readonly Provider[] {
  const { rows: own, problems } = readProviderRows(settings.extra ?? []);
  const urls: Record<string, string | undefined> = {
    openai: settings.openaiUrl,
    anthropic: settings.anthropicUrl,
  };
  const builtIn = BUILT_IN_ROWS.map((row) => ({ ...row, base_url: urls[row.name] ?? row.base_url }));
  const names = new Set(builtIn.map((row) => row.name));
  for (const row of own) {
    if (names.has(row.name)) problems.push(`provider "${row.name}": the name is taken`);
    names.add(row.name);
  }
  const providers: Provider[] = [];
  for (const row of [...own, ...builtIn]) {
    try {
      providers.push(createProvider(row));
    } catch (error) {
      problems.push(`provider "${row.name}": ${(error as Error).message}`);
    }
  }
  if (problems.length > 0) throw new Error(`The providers are not usable: ${problems.join('; ')}.`);
  return providers;
}

export interface ProviderSelector {
  readonly dialect: ProviderDialect;
  /** The body's `model`; null or undefined where it has none. */
  readonly model?: string | null | undefined;
  /** Value of `X-Service-Provider`. */
  readonly named?: string | undefined;
}

/**
 * The named vendor; else the first that speaks the dialect and has a pattern that fits the model; else the first
 * that is the dialect's default. Throws CodedError `invalid_request` when the named one is unknown or unable.
 */
export function chooseProvider(providers: readonly Provider[], selector: ProviderSelector): Provider {
  const { dialect, model } = selector;
  if (selector.named !== undefined && selector.named !== '')
    return findNamed(providers, selector.named, dialect);
  if (typeof model === 'string') {
    for (const provider of providers) {
      if (provider.dialects.has(dialect) && provider.matchesModel(model)) return provider;
    }
  }
  for (const provider of providers) if (provider.defaultFor.has(dialect)) return provider;
  throw new CodedError('invalid_request', { message: 'No provider is configured for this endpoint.' });
}

function findNamed(providers: readonly Provider[], named: string, dialect: ProviderDialect): Provider {
  const name = named.trim().toLowerCase();
  const provider = providers.find((row) => row.name === name);
  if (provider === undefined) {
    throw new CodedError('invalid_request', {
      message: 'X-Service-Provider names a provider that is not configured here.',
      fields: { valid_providers: providers.map((row) => row.name) },
    });
  }
  if (!provider.dialects.has(dialect)) {
    throw new CodedError('invalid_request', { message: `${provider.label} does not offer this endpoint.` });
  }
  return provider;
}
