import type { SlotRole } from '../text/index.ts';
import type { FormatTable } from './tables.ts';
import type { Block } from './wire-format.ts';

/** A family of model endpoints under one name, as its folder describes it. */
export interface Provider {
  /** What X-Service-Provider, stored credentials and configuration call it: lower-case letters, digits, `-`. */
  readonly name: string;
  /** For messages to people. */
  readonly label: string;
  /**
   * Base address without `/v1`; `{region}` is the credential's. Without one the provider is known, and nothing is sent to
   * it unless it is configured; null: its routes are served, and the operator configures the address.
   */
  readonly baseUrl?: string | null;
  /** Hosts at which a device meets it; `*.` stands for any name below. */
  readonly hosts: readonly string[];
  /** Hosts that an enrolled device opens. Default: `hosts`. */
  readonly opened?: readonly string[];
  readonly endpoints: readonly Endpoint[];
  readonly credential?: CredentialRule;
  /** Models that are its own: exact names, or with one `*`. */
  readonly models?: readonly string[];
  readonly headers?: HeaderRule;
}

export interface Endpoint {
  /** Unique for what is asked and how; providers that speak the same share it. PROVIDERS_FILE calls it a dialect. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the base address; names in braces are its parameters: `{model}` is the model's name. */
  readonly path: string;
  /** What stands before its path where the service itself serves it, if the provider has nothing there. */
  readonly servedUnder?: string;
  /** What `{version}` in the path may be, the usual one first; what a client asks for goes up. */
  readonly versions?: readonly string[];
  /** Nothing is sent but the address. */
  readonly isBodiless?: true;
  /** If no path can identify them: what requests to the provider's hosts look like. */
  readonly pattern?: RegExp;
  readonly format: FormatTable | WebAppTable;
  /** By OpenTelemetry's conventions for generative AI. */
  readonly operation: Operation;
  /** Takes requests for models that no provider claims. */
  readonly isDefault?: true;
  /** Which requests are streamed. Default: those whose body says `"stream": true`. */
  readonly streams?: 'always' | 'never' | { readonly query: string; readonly value: string };
  /** Carries the credential as a bearer whatever the provider does elsewhere. */
  readonly isBearer?: true;
  /** For the reference of the service's own interface. */
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
  /** `bearer`: `Authorization: Bearer`; `aws-signature`: it signs; else the header that holds it. */
  readonly carrier: 'bearer' | (string & {});
  /** Credentials that begin like this are carried as a bearer all the same. */
  readonly bearerPrefixes?: readonly string[];
  /** Beginnings that only its credentials have, by its documentation. */
  readonly prefixes?: readonly string[];
}

export interface HeaderRule {
  /** Of requests, beside the common ones: exact names, or a prefix that ends in `*`. */
  readonly pass?: readonly string[];
  /** Sent if the client sends none. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** Of responses, beside the common ones. */
  readonly reply?: readonly string[];
  /** The response header with its own request id. Default `x-request-id`. */
  readonly requestId?: string;
  /** A client that sends this one speaks to this provider. */
  readonly implies?: string;
}

/**
 * A chat page. It has no contract, and changes its bodies by the week: no shape is required, a member's name says
 * whose its texts are, and what is under no known name is read as a person's own words.
 */
export interface WebAppTable {
  readonly name: string;
  readonly members: Readonly<Record<string, SlotRole>>;
  readonly authors: Readonly<Record<string, SlotRole>>;
  /** The rejection as the page shows it. */
  readonly rejection: (block: Block) => unknown;
  /** Its streams are those of an interface that is known, so that their words are told from names and places. */
  readonly isReadByFrame?: true;
}
