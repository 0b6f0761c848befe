import {
  AWS_SIGNATURE,
  CREDENTIAL_HEADERS,
  type Endpoint,
  endpointByName,
  ownerOfCredential,
  PROVIDERS,
} from '@csg/shared/providers';
import { parseAmazonCredential } from './amazon/credential.ts';
import { insertParams, type PathParams } from './path-params.ts';
import type { CredentialCarrier, ProviderRow } from './provider-row.ts';

/** A provider's row prepared for the hot path. All header names are lower case. */
export interface Provider {
  readonly name: string;
  /** For messages. */
  readonly label: string;
  /** `https://host[:port]`. */
  readonly origin: string;
  /** The origin for a credential of another region. */
  originOf(credential: string): string;
  /** Region of credentials that name none; they sign requests. Null: requests are not signed. */
  readonly signingRegion: string | null;
  /** By name. */
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  /** Names of endpoints. */
  readonly defaultFor: ReadonlySet<string>;
  readonly guarded: boolean;
  readonly requestIdHeader: string;
  readonly defaultHeaders: readonly (readonly [string, string])[];
  matchesModel(model: string): boolean;
  /** True if a client's header is forwarded to this provider. */
  passesHeader(name: string): boolean;
  /** True if a provider's header, in addition to the common ones, is returned to the client. */
  repliesHeader(name: string): boolean;
  /** Returns the path including that of the base URL, without query. `params`: values for the names in braces. */
  pathOf(endpoint: string, params?: PathParams): string;
  carrierOf(endpoint: string, credential: string): CredentialCarrier;
  /** A provider-specific header that may carry its credential; null: only `Authorization: Bearer` does. */
  readonly credentialHeader: string | null;
  /** A client that sends this header uses this provider. */
  readonly impliedBy: string | null;
  /** Label of the provider that owns the credential, if it must not be sent to this one; else null. */
  foreignOwnerOf(credential: string): string | null;
}

/**
 * The client headers that every provider may see. Excluded on purpose: Idempotency-Key (ours, scoped to our key),
 * X-Request-ID and tracing (ours), cookies, forwarded addresses, hop-by-hop headers, Accept-Encoding (see send.ts).
 */
const COMMON_HEADERS = ['accept', 'content-type', 'user-agent', 'x-stainless-*'] as const;

/** Headers that no pattern can allow: our credentials, the caller's identity, and those that undici writes. */
const NEVER_SENT = new Set([
  ...CREDENTIAL_HEADERS,
  ...['x-api-key', 'authorization', 'proxy-authorization', 'cookie', 'idempotency-key', 'x-request-id'],
  ...[
    'host',
    'connection',
    'keep-alive',
    'proxy-connection',
    'te',
    'trailer',
    'transfer-encoding',
    'upgrade',
  ],
  ...['expect', 'content-length', 'content-encoding', 'accept-encoding'],
  ...['forwarded', 'via', 'origin', 'referer', 'x-real-ip', 'true-client-ip', 'cf-connecting-ip'],
]);
const NEVER_SENT_PREFIXES = ['x-service-', 'x-forwarded-', 'sec-'];

/** The default of Amazon's clients. */
const DEFAULT_REGION = 'us-east-1';

const BUILT_IN = new Set(PROVIDERS.filter(({ baseUrl }) => baseUrl !== undefined).map(({ name }) => name));

/** Throws `Error` with a clause for the operator if the base URL is not usable. */
export function createProvider(row: ProviderRow, region = DEFAULT_REGION): Provider {
  const known = PROVIDERS.find(({ name }) => name === row.name);
  const endpoints = new Map(
    row.dialects.map((name) => [
      name,
      known?.endpoints.find((one) => one.name === name) ?? endpointByName(name),
    ]),
  );
  const base = readBase(row.base_url.replace('{region}', region));
  const signs = row.credential === AWS_SIGNATURE;
  const carrier = row.credential ?? 'bearer';
  const bearerEndpoints = new Set(row.bearer_dialects);
  const bearerPrefixes = row.bearer_prefixes ?? [];
  const sends = matchNames([...COMMON_HEADERS, ...(row.pass_headers ?? [])]);
  const models = (row.model_patterns ?? []).map(matchPattern);
  return {
    name: row.name,
    label: row.label ?? row.name,
    origin: base.origin,
    originOf(credential) {
      const own = signs && row.base_url.includes('{region}') && parseAmazonCredential(credential)?.region;
      return own ? readBase(row.base_url.replace('{region}', own)).origin : base.origin;
    },
    signingRegion: signs ? region : null,
    endpoints,
    defaultFor: new Set(row.default_for),
    guarded: row.guarded ?? false,
    requestIdHeader: row.request_id_header ?? 'x-request-id',
    defaultHeaders: Object.entries(row.default_headers ?? {}),
    matchesModel: (model) => models.some((matches) => matches(model)),
    passesHeader: (name) => sends(name) && !isNeverSent(name),
    repliesHeader: matchNames(row.reply_headers ?? []),
    pathOf: (name, params) =>
      base.path +
      insertParams(row.paths?.[name] ?? (endpoints.get(name) ?? endpointByName(name)).path, params, signs),
    carrierOf: (endpoint, credential) =>
      bearerEndpoints.has(endpoint) || bearerPrefixes.some((prefix) => credential.startsWith(prefix))
        ? 'bearer'
        : signs && parseAmazonCredential(credential) === null
          ? 'bearer'
          : carrier,
    // `x-api-key` always carries the service's own key.
    credentialHeader: signs || carrier === 'bearer' || carrier === 'x-api-key' ? null : carrier,
    impliedBy: known?.headers?.implies ?? null,
    foreignOwnerOf(credential) {
      const owner = ownerOfCredential(credential);
      if (owner === undefined || owner.name === row.name) return null;
      // Only the operator knows which credentials their own providers accept.
      if (!BUILT_IN.has(row.name) && !BUILT_IN.has(owner.name)) return null;
      return row.credential_prefixes?.some((prefix) => credential.startsWith(prefix)) ? null : owner.label;
    },
  };
}

function isNeverSent(name: string): boolean {
  return NEVER_SENT.has(name) || NEVER_SENT_PREFIXES.some((prefix) => name.startsWith(prefix));
}

/** Accepts a base URL with a trailing `/v1`, as in the documentation of providers. */
function readBase(text: string): { origin: string; path: string } {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new Error('base_url must be an http or https address');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new Error('base_url must not contain credentials, a query or a fragment');
  }
  return { origin: url.origin, path: url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '') };
}

function matchPattern(pattern: string): (text: string) => boolean {
  const star = pattern.indexOf('*');
  if (star < 0) return (text) => text === pattern;
  const head = pattern.slice(0, star);
  const tail = pattern.slice(star + 1);
  return (text) => text.length >= head.length + tail.length && text.startsWith(head) && text.endsWith(tail);
}

function matchNames(patterns: readonly string[]): (name: string) => boolean {
  const exact = new Set(patterns.filter((pattern) => !pattern.endsWith('*')));
  const prefixes = patterns.filter((pattern) => pattern.endsWith('*')).map((pattern) => pattern.slice(0, -1));
  return (name) => exact.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}
