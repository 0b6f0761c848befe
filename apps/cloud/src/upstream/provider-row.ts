/** The dialects a vendor can speak, named as in shared/dialects, and the model list. */
export const PROVIDER_DIALECTS = [
  'openai-chat',
  'anthropic-messages',
  'openai-responses',
  'count-tokens',
  'models',
] as const;
export type ProviderDialect = (typeof PROVIDER_DIALECTS)[number];

export type CredentialCarrier = 'bearer' | 'x-api-key';

/** One vendor as an operator writes it (an entry of PROVIDERS_FILE). */
export interface ProviderRow {
  /** Lower-case letters, digits, `-`, `_`; what `X-Service-Provider` names. */
  readonly name: string;
  /** For messages to people. Default: the name. */
  readonly label?: string;
  /** http or https, without `/v1`. */
  readonly base_url: string;
  readonly dialects: readonly ProviderDialect[];
  readonly default_for?: readonly ProviderDialect[];
  /** Default `bearer`. */
  readonly credential?: CredentialCarrier;
  readonly bearer_dialects?: readonly ProviderDialect[];
  /** Credentials that start like this are carried as a bearer whatever `credential` says. */
  readonly bearer_prefixes?: readonly string[];
  /** Exact names, or with one `*`. */
  readonly model_patterns?: readonly string[];
  /** Request headers that go on beside the common ones; exact, or a prefix that ends in `*`. */
  readonly pass_headers?: readonly string[];
  /** Request headers that are sent when the client sends none. */
  readonly default_headers?: Readonly<Record<string, string>>;
  /** Where the vendor's own request id is answered. Default `x-request-id`. */
  readonly request_id_header?: string;
  /** Paths that differ from the usual ones, such as `/chat/completions`. */
  readonly paths?: Readonly<Partial<Record<ProviderDialect, string>>>;
  /** True: the address is not the operator's own, so it is held to public ones. */
  readonly guarded?: boolean;
}

/** A row made ready for the hot path. */
export interface Provider {
  readonly name: string;
  readonly label: string;
  /** `https://host[:port]`. */
  readonly origin: string;
  /** What stands between origin and the dialect's path; empty or `/x`. */
  readonly basePath: string;
  readonly dialects: ReadonlySet<ProviderDialect>;
  readonly defaultFor: ReadonlySet<ProviderDialect>;
  readonly guarded: boolean;
  readonly requestIdHeader: string;
  readonly defaultHeaders: Readonly<Record<string, string>>;
  fitsModel(model: string): boolean;
  /** Whether a client's header (lower case) goes on to this vendor. */
  passesHeader(name: string): boolean;
  /** Path with base, without query. */
  pathOf(dialect: ProviderDialect): string;
  carrierOf(dialect: ProviderDialect, credential: string): CredentialCarrier;
}

export type ParsedRow = { readonly provider: Provider } | { readonly faults: readonly string[] };

export function parseProviderRow(_row: unknown): ParsedRow {
  return { faults: ['not written yet'] };
}
