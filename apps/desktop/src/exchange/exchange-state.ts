import type { RequestReading } from '../inspect/request-reading.ts';
import type { ResponseHead } from '../upstream/open-request.ts';
import type { HeaderChanges } from '../upstream/outgoing-headers.ts';
import { type ExchangeAction, type GatheredBody, proxyReply, type RequestHead } from './events.ts';
import type { HeldBytes } from './held-bytes.ts';

/** From the client to the provider. */
export type RequestSide =
  | { readonly at: 'awaited' }
  | { readonly at: 'gathering'; readonly held: HeldBytes | null }
  | {
      readonly at: 'evaluating';
      readonly body: GatheredBody;
      /** The received part of a body that is not gathered whole. */
      readonly held: HeldBytes | null;
      /** The trailers, once all of the body is here. */
      readonly ended: readonly string[] | null;
    }
  | { readonly at: 'sending' }
  | { readonly at: 'sent' }
  /** Nothing of it goes to the provider, or nothing more. */
  | { readonly at: 'dropped' };

export interface HeldResponse {
  /** Head of the body as it is held: without content encoding if the body is decompressed. */
  readonly head: ResponseHead;
  readonly held: HeldBytes | null;
  readonly isEvents: boolean;
  /** The client has the head, and maybe a part of the body. */
  readonly hasBegun: boolean;
}

/** From the provider to the client. */
export type ResponseSide =
  | { readonly at: 'awaited' }
  | ({ readonly at: 'gathering' } & HeldResponse)
  | ({ readonly at: 'evaluating'; readonly ended: readonly string[] | null } & HeldResponse)
  /** A stream that is sent except where a finding may still begin or end. `held`: everything received so far. */
  | ({ readonly at: 'releasing'; readonly isQuiet: boolean } & HeldResponse)
  | { readonly at: 'relaying' }
  | {
      readonly at: 'watching';
      /** Number of pieces without a verdict. */
      readonly waiting: number;
      readonly ended: readonly string[] | null;
    }
  /** The response to the client is complete, or the client has left. */
  | { readonly at: 'done' };

/** A request that was sent to the provider and may be sent once more. */
export interface Repeatable {
  readonly path: string;
  readonly changes: HeaderChanges;
  readonly body: Uint8Array | null;
  readonly trailers: readonly string[];
}

export interface ExchangeState {
  /** Null until it has arrived. */
  readonly head: RequestHead | null;
  readonly request: RequestSide;
  readonly response: ResponseSide;
  /** The allowed prompt; null: there is none, and the response is not read. */
  readonly prompt: RequestReading | null;
  /** Null: the body was sent as it came, it was repeated before, or the response has begun. */
  readonly repeatable: Repeatable | null;
}

export interface ExchangeStep {
  readonly state: ExchangeState;
  /** Performed in this order. */
  readonly actions: readonly ExchangeAction[];
}

export const EXCHANGE_START: ExchangeState = {
  head: null,
  request: { at: 'awaited' },
  response: { at: 'awaited' },
  prompt: null,
  repeatable: null,
};

const NO_ACTIONS: readonly ExchangeAction[] = [];

export function unchanged(state: ExchangeState): ExchangeStep {
  return { state, actions: NO_ACTIONS };
}

/** True if the client has received a part of the provider's response. */
export function hasResponded({ response }: ExchangeState): boolean {
  return response.at === 'relaying' || response.at === 'watching' || hasBegun(response);
}

function hasBegun(response: ResponseSide): boolean {
  return 'hasBegun' in response && response.hasBegun;
}

/** True if a request to the provider is open. */
export function isOpen({ request }: ExchangeState): boolean {
  return request.at === 'sending' || request.at === 'sent';
}

/** Ends both directions. The client gets its last output before the rest of its request is dropped. */
export function finish(state: ExchangeState, last: readonly ExchangeAction[]): ExchangeStep {
  return {
    state: { ...state, request: { at: 'dropped' }, response: { at: 'done' } },
    actions: [...last, { type: 'drop-request' }],
  };
}

/** Ends with a response of the proxy, or by breaking off a response that has begun. */
export function finishWith(state: ExchangeState, status: number, message: string): ExchangeStep {
  return finish(state, [
    hasResponded(state) ? { type: 'break' } : { type: 'reply', reply: proxyReply(status, message) },
  ]);
}
