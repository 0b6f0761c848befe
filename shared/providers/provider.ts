import type { SlotRole } from '../text/index.ts';
import type { FormatTable } from './tables.ts';
import type { Block } from './wire-format.ts';

/** A family of model endpoints under one name, as described in its folder. */
export interface Provider {
  /** Its name in X-Service-Provider, stored credentials and configuration: lower-case letters, digits, `-`. */
  readonly name: string;
  /** Display name. */
  readonly label: string;
  /**
   * Base address without `/v1`; `{region}` is the credential's. Omitted: the provider is known, but receives nothing
   * unless it is configured; null: its routes are served, and the operator configures the address.
   */
  readonly baseUrl?: string | null;
  /** Hosts of the provider on devices; `*.` matches any subdomain. */
  readonly hosts: readonly string[];
  /** Hosts that an enrolled device opens. Default: `hosts`. */
  readonly opened?: readonly string[];
  readonly endpoints: readonly Endpoint[];
  readonly credential?: CredentialRule;
  /** Its own models: exact names, or with one `*`. */
  readonly models?: readonly string[];
  readonly headers?: HeaderRule;
}

export interface Endpoint {
  /** Unique for an operation and its format; providers with the same interface share it. PROVIDERS_FILE: a dialect. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path below the base address; names in braces are its parameters: `{model}` is the model's name. */
  readonly path: string;
  /** Prefix of the path in the service itself, if the provider has none. */
  readonly servedUnder?: string;
  /** Allowed values of `{version}` in the path, the usual one first; the client's is passed on. */
  readonly versions?: readonly string[];
  /** The request has no body. */
  readonly isBodiless?: true;
  /** Pattern of requests to the provider's hosts, if no path identifies the endpoint. */
  readonly pattern?: RegExp;
  readonly format: FormatTable | WebAppTable;
  /** The operation in OpenTelemetry's conventions for generative AI. */
  readonly operation: Operation;
  /** Takes requests for models that no provider claims. */
  readonly isDefault?: true;
  /** The requests that are streamed. Default: those with `"stream": true` in the body. */
  readonly streams?: 'always' | 'never' | { readonly query: string; readonly value: string };
  /** Sends the credential as a bearer, unlike the provider's other endpoints. */
  readonly isBearer?: true;
  /** For the API reference of the service. */
  readonly operationId?: string;
  readonly summary?: string;
  readonly example?: object;
}

export type Operation =
  | 'chat'
  | 'count_tokens'
  | 'embeddings'
  | 'generate_content'
  | 'image_generation'
  | 'list_models'
  | 'moderation'
  | 'retrieve'
  | 'text_completion';

/** Carrier of a credential that signs requests and is not sent. */
export const AWS_SIGNATURE = 'aws-signature';

export interface CredentialRule {
  /** `bearer`: `Authorization: Bearer`; `aws-signature`: it signs; else the name of its header. */
  readonly carrier: 'bearer' | (string & {});
  /** Credentials with these prefixes are sent as a bearer anyway. */
  readonly bearerPrefixes?: readonly string[];
  /** Prefixes that are unique to its credentials, by its documentation. */
  readonly prefixes?: readonly string[];
}

export interface HeaderRule {
  /** Request headers that are passed on in addition to the common ones: exact names, or a prefix that ends in `*`. */
  readonly pass?: readonly string[];
  /** Sent if the client does not set them. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** Response headers that are passed on in addition to the common ones. */
  readonly reply?: readonly string[];
  /** The response header with its own request id. Default `x-request-id`. */
  readonly requestId?: string;
  /** A client that sends this header uses this provider. */
  readonly implies?: string;
}

/**
 * A chat page. It has no contract, and its bodies change often: no shape is required, a member's name determines the
 * author of its texts, and texts under unknown names are read as the user's own.
 */
export interface WebAppTable {
  readonly name: string;
  readonly members: Readonly<Record<string, SlotRole>>;
  readonly authors: Readonly<Record<string, SlotRole>>;
  /** The rejection in the form that the page displays. */
  readonly rejection: (block: Block) => unknown;
  /** Its streams use a known interface, so texts are recognized by names and positions. */
  readonly isReadByFrame?: true;
}
