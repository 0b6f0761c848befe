import { API_ENDPOINTS, CREDENTIAL_HEADERS, type CredentialRule } from '@csg/shared/providers';
import { Ajv, type ErrorObject } from 'ajv';

export type CredentialCarrier = CredentialRule['carrier'];

const ENDPOINT_NAMES = API_ENDPOINTS.map(({ name }) => name);
const CARRIERS = ['bearer', ...[...CREDENTIAL_HEADERS].filter((header) => header !== 'authorization')];

/** A provider as configured by the operator: an entry of PROVIDERS_FILE. */
export interface ProviderRow {
  /** Lower-case letters, digits, `-`, `_`; the value of `X-Service-Provider`. */
  readonly name: string;
  /** For messages. Default: the name. */
  readonly label?: string;
  /** http or https, without `/v1`. */
  readonly base_url: string;
  readonly dialects: readonly string[];
  /** Endpoints it serves if no model pattern matches. */
  readonly default_for?: readonly string[];
  /** Default `bearer`. */
  readonly credential?: CredentialCarrier;
  /** Dialects that send the credential as a bearer token, regardless of `credential`. */
  readonly bearer_dialects?: readonly string[];
  /** Prefixes of credentials that are sent as a bearer token, regardless of `credential`. */
  readonly bearer_prefixes?: readonly string[];
  /** Prefixes of other providers' credentials that it accepts, such as `sk-ant-` for a proxy in front of Anthropic. */
  readonly credential_prefixes?: readonly string[];
  /** Exact model names, or patterns with one `*`. */
  readonly model_patterns?: readonly string[];
  /** Additional request headers to forward: exact, or a prefix that ends in `*`. */
  readonly pass_headers?: readonly string[];
  /** Request headers sent if the client sends none. */
  readonly default_headers?: Readonly<Record<string, string>>;
  /** Additional response headers to return: exact, or a prefix that ends in `*`. */
  readonly reply_headers?: readonly string[];
  /** Response header with the provider's request id. Default `x-request-id`. */
  readonly request_id_header?: string;
  /** Paths that differ from the defaults, such as `{"openai-chat": "/chat/completions"}`. */
  readonly paths?: Readonly<Record<string, string>>;
  /** True: the operator did not choose the URL, so only public addresses are allowed. */
  readonly guarded?: boolean;
}

const listOf = (item: object) => ({ type: 'array', items: item, maxItems: 64 });
const dialects = listOf({ enum: ENDPOINT_NAMES });
const headerPattern = { type: 'string', pattern: '^[a-z0-9-]{1,64}\\*?$' };
const headerName = { type: 'string', pattern: '^[a-z0-9-]{1,64}$' };
const line = (maxLength: number) => ({ type: 'string', pattern: '^[\\x20-\\x7e]+$', maxLength });

const rowSchema = {
  type: 'object',
  required: ['name', 'base_url', 'dialects'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]{0,39}$' },
    label: line(60),
    base_url: line(500),
    dialects: { ...dialects, minItems: 1 },
    default_for: dialects,
    credential: { enum: CARRIERS },
    bearer_dialects: dialects,
    bearer_prefixes: listOf(line(60)),
    credential_prefixes: listOf(line(60)),
    model_patterns: listOf({ type: 'string', pattern: '^[^*]*\\*?[^*]*$', minLength: 1, maxLength: 200 }),
    pass_headers: listOf(headerPattern),
    default_headers: { type: 'object', propertyNames: headerName, additionalProperties: line(200) },
    reply_headers: listOf(headerPattern),
    request_id_header: headerName,
    paths: {
      type: 'object',
      propertyNames: { enum: ENDPOINT_NAMES },
      additionalProperties: { type: 'string', pattern: '^/[\\x21-\\x7e]*$', maxLength: 200 },
    },
    guarded: { type: 'boolean' },
  },
} as const;

/** Reads rows from parsed JSON; each problem is one clause for the operator. */
export function readProviderRows(json: unknown): { rows: ProviderRow[]; problems: string[] } {
  if (!Array.isArray(json)) return { rows: [], problems: ['must be a JSON list of providers'] };
  // Most gateways have none, and compiling the schema takes 5% of the startup time.
  if (json.length === 0) return { rows: [], problems: [] };
  const validate = new Ajv({ allErrors: true }).compile<ProviderRow>(rowSchema);
  const rows: ProviderRow[] = [];
  const problems: string[] = [];
  json.forEach((row: unknown, i) => {
    if (validate(row)) rows.push(row);
    else for (const error of validate.errors ?? []) problems.push(`provider ${i + 1} ${describe(error)}`);
  });
  return { rows, problems };
}

function describe(error: ErrorObject): string {
  const field = error.instancePath.slice(1).replaceAll('/', '.');
  const message =
    error.keyword === 'enum' ? `must be one of ${error.params['allowedValues'].join(', ')}` : error.message;
  const extra = error.keyword === 'additionalProperties' ? ` (${error.params['additionalProperty']})` : '';
  return `${field === '' ? '' : `${field} `}${message}${extra}`;
}
