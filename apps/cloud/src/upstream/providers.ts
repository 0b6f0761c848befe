import { CodedError } from '@csg/shared/contract';
import { BUILT_IN_ROWS } from './built-in-providers.ts';
import { type Provider, type ProviderDialect, parseProviderRow } from './provider-row.ts';

export type { CredentialCarrier, Provider, ProviderDialect } from './provider-row.ts';

export interface ProviderSettings {
  /** Base addresses without `/v1`. Default: the vendor's public address. */
  readonly openaiUrl?: string | undefined;
  readonly anthropicUrl?: string | undefined;
  /** Parsed JSON of PROVIDERS_FILE: a list of rows (shape: provider-row.ts). */
  readonly extra?: unknown;
}

/**
 * The vendors of this instance, the operator's own rows first so that their model patterns win.
 * Throws `Error` with one sentence that lists every fault of the rows; for the operator, at start.
 */
export function createProviders(settings: ProviderSettings = {}): readonly Provider[] {
  const faults: string[] = [];
  const rows: unknown[] =
    settings.extra === undefined || settings.extra === null ? [] : asRows(settings.extra, faults);
  const taken = new Set<string>();
  const providers: Provider[] = [];
  const add = (row: unknown, where: string): void => {
    const parsed = parseProviderRow(row);
    if ('faults' in parsed) {
      for (const fault of parsed.faults) faults.push(`${where}: ${fault}`);
    } else if (taken.has(parsed.provider.name)) {
      faults.push(`${where}: the name "${parsed.provider.name}" is taken`);
    } else {
      taken.add(parsed.provider.name);
      providers.push(parsed.provider);
    }
  };
  const builtIn = BUILT_IN_ROWS.map((row) => {
    const url = row.name === 'openai' ? settings.openaiUrl : settings.anthropicUrl;
    return url === undefined ? row : { ...row, base_url: url };
  });
  for (const row of builtIn) taken.add(row.name);
  rows.forEach((row, i) => add(row, `provider ${i + 1}`));
  taken.clear();
  for (const row of builtIn) add(row, `provider ${row.name}`);
  if (faults.length > 0) throw new Error(`The providers are not usable: ${faults.join('; ')}.`);
  return providers;
}

function asRows(extra: unknown, faults: string[]): unknown[] {
  if (Array.isArray(extra)) return extra;
  faults.push('a JSON list of rows is expected');
  return [];
}

export interface ProviderWish {
  readonly dialect: ProviderDialect;
  /** The body's `model`; null or undefined where it has none. */
  readonly model?: string | null | undefined;
  /** Value of `X-Service-Provider`. */
  readonly named?: string | undefined;
}

/**
 * Named first, else the first row whose pattern fits the model and that speaks the dialect, else the dialect's default.
 * Throws CodedError `invalid_request` when the named vendor is unknown or does not speak the dialect.
 */
export function chooseProvider(providers: readonly Provider[], wish: ProviderWish): Provider {
  if (wish.named !== undefined && wish.named !== '')
    return namedProvider(providers, wish.named, wish.dialect);
  const model = wish.model;
  if (typeof model === 'string') {
    for (const provider of providers) {
      if (provider.dialects.has(wish.dialect) && provider.fitsModel(model)) return provider;
    }
  }
  for (const provider of providers) if (provider.defaultFor.has(wish.dialect)) return provider;
  throw new CodedError('invalid_request', { message: 'No provider is configured for this endpoint.' });
}

function namedProvider(providers: readonly Provider[], named: string, dialect: ProviderDialect): Provider {
  const provider = providers.find((row) => row.name === named.trim().toLowerCase());
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
