/**
 * Module upstream: the model providers. Called by the flows that relay; knows the providers, how to call each, and how
 * to return their responses. Never reads the meaning of a body, makes no decision about content, follows no redirect,
 * logs no credential, and sends nothing twice.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { CodedError } from '@csg/shared/contract';
import { type Endpoint, EVENT_STREAM, formatOf } from '@csg/shared/providers';
import { atOnce, type Pace } from '@csg/shared/text';
import { type Dispatcher, Pool } from 'undici';
import { decodeBody } from '../outbound/decode-body.ts';
import { guardedConnector } from '../outbound/guarded-connector.ts';
import { parseAmazonCredential } from './amazon/credential.ts';
import {
  type GatherBudget,
  GatherError,
  type RawResponse,
  ResponseGatherer,
  type ResponseObserver,
} from './gather-response.ts';
import { type OutboundProxy, openProxied } from './outbound-proxy.ts';
import { withoutOwnComments } from './own-comments.ts';
import type { PathParams } from './path-params.ts';
import type { Provider } from './provider.ts';
import { providerError } from './provider-error.ts';
import { buildRequestHeaders } from './request-headers.ts';
import { buildRequestQuery } from './request-query.ts';
import { type ResponseKind, readResponseKind } from './response-kind.ts';
import { findStreamError } from './stream-error.ts';
import { eventStreams, isAmazonStream } from './stream-text.ts';

export interface UpstreamOptions {
  /** From the call until the complete response has arrived. Default 570,000. */
  readonly timeoutMs?: number | undefined;
  /** Default 10,000. */
  readonly connectTimeoutMs?: number | undefined;
  /** Maximum size of a response, before and after decompression. Default 32 MiB. */
  readonly maxResponseBytes?: number | undefined;
  /** Maximum size of all responses being buffered. Default 512 MiB. */
  readonly maxGatheredBytes?: number | undefined;
  /** Open connections per provider; further calls wait. Default 2,048. */
  readonly connections?: number | undefined;
  /** Used for all providers except guarded ones, whose addresses must be checked here. Default: none. */
  readonly proxy?: OutboundProxy | undefined;
}

export interface UpstreamRequest {
  readonly provider: Provider;
  readonly endpoint: Endpoint;
  /** Parameters of the endpoint's path. */
  readonly params?: PathParams | undefined;
  /** The client's query string without `?`; parameters not on the allow-list are dropped. */
  readonly query?: string | undefined;
  /** The client's headers; those not on the allow-list are dropped. */
  readonly headers: IncomingHttpHeaders;
  /** Sent unchanged. */
  readonly body: Buffer | Uint8Array | null;
  /** The provider's credential without `Bearer `. */
  readonly credential: string;
  /** Id of the client's request. */
  readonly requestId?: string | undefined;
  /** Lets the provider join its trace to ours. */
  readonly traceHeaders?: Readonly<Record<string, string>> | undefined;
  /** Aborting cancels the provider's call immediately; `send` then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Observes the response while it is being buffered. */
  readonly observer?: ResponseObserver | undefined;
  /** Does long work of a large response in pieces; default: at once. */
  readonly pace?: Pace | undefined;
}

export interface UpstreamResponse {
  readonly status: number;
  /** As sent by the provider, with lower-case names; show them only through `replyHeaders`. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** `other` only for responses outside 2xx. */
  readonly kind: ResponseKind;
  /** Complete and decompressed. */
  readonly body: Buffer;
}

export interface Upstream {
  /**
   * Sends one request and buffers the complete response. Returns responses of 200..299 and 400..599; throws CodedError
   * `provider_error` (provider-error.ts) if no complete and readable one arrives. Never sends anything twice: undici
   * checks an idle connection before it writes to it, the only time at which a retry cannot repeat a request.
   */
  send(request: UpstreamRequest): Promise<UpstreamResponse>;
  /** Fails all calls in progress with `service_unavailable`. */
  close(): Promise<void>;
}

const MIB = 1024 * 1024;
const LARGE_BYTES = 64 * 1024;

export function createUpstream(options: UpstreamOptions = {}): Upstream {
  const timeoutMs = options.timeoutMs ?? 570_000;
  const maxResponseBytes = options.maxResponseBytes ?? 32 * MIB;
  const budget: GatherBudget = { used: 0, max: options.maxGatheredBytes ?? 512 * MIB };
  const pools = createPools(options);
  let closed = false;

  return {
    async send(request) {
      if (closed) throw new CodedError('service_unavailable');
      const { provider, signal } = request;
      const dispatch = buildDispatch(request);
      if (provider.signingRegion !== null) await sign(dispatch, request, provider.signingRegion);
      signal?.throwIfAborted();
      const gatherer = new ResponseGatherer(maxResponseBytes, budget, request.observer);
      const timer = setTimeout(() => gatherer.stop(new GatherError('timeout')), timeoutMs);
      const onAbort = signal && (() => gatherer.stop(signal.reason));
      if (onAbort) signal.addEventListener('abort', onAbort, { once: true });
      try {
        pools.of(provider, dispatch.origin).dispatch(dispatch, gatherer);
        return await readResponse(
          await gatherer.response,
          maxResponseBytes,
          formatOf(request.endpoint).streamType,
          request.pace ?? atOnce,
        );
      } catch (error) {
        throw errorOf(request, closed, error);
      } finally {
        clearTimeout(timer);
        if (onAbort) signal.removeEventListener('abort', onAbort);
      }
    },
    async close() {
      closed = true;
      await pools.destroy();
    },
  };
}

/** Maps an error to the caller's error. */
function errorOf({ signal, provider }: UpstreamRequest, isClosed: boolean, error: unknown): unknown {
  if (signal?.aborted) return signal.reason;
  if (isClosed) return new CodedError('service_unavailable', { cause: error });
  return error instanceof GatherError ? providerError(provider, error.reason, error.cause) : error;
}

type OutgoingRequest = Dispatcher.DispatchOptions & { readonly origin: string; headers: string[] };

function buildDispatch(request: UpstreamRequest): OutgoingRequest {
  const { provider, endpoint } = request;
  return {
    origin: provider.originOf(request.credential),
    path: provider.pathOf(endpoint.name, request.params) + buildRequestQuery(request.query),
    method: endpoint.method,
    headers: buildRequestHeaders(
      provider,
      endpoint.name,
      request.headers,
      request.credential,
      request.body !== null,
      request.traceHeaders,
    ),
    body: request.body,
  };
}

/** Adds the signature headers for a signing credential. Any other was sent as a bearer token. */
async function sign(
  dispatch: OutgoingRequest,
  { credential, headers, body }: UpstreamRequest,
  region: string,
): Promise<void> {
  const parsed = parseAmazonCredential(credential);
  if (parsed === null) return;
  const { signRequest } = await import('./amazon/sign-request.ts');
  const { origin, path, method } = dispatch;
  const contentType = headers['content-type'] ?? 'application/json';
  const request = { origin, path, method, contentType, body };
  dispatch.headers.push(...(await signRequest(parsed, parsed.region ?? region, request)));
}

async function streamErrorIn(
  { 'content-type': contentType }: RawResponse['headers'],
  body: Buffer,
  streamType: string,
  pace: Pace,
): Promise<'malformed_stream' | 'truncated' | null> {
  return await pace(
    isAmazonStream(contentType)
      ? (await eventStreams()).findEventStreamError(body)
      : findStreamError(body, streamType),
  );
}

interface Pools {
  of(provider: Pick<Provider, 'guarded'>, origin: string): Dispatcher;
  destroy(): Promise<void>;
}

function createPools({ connectTimeoutMs = 10_000, connections = 2_048, proxy }: UpstreamOptions): Pools {
  const common = {
    connections,
    pipelining: 1,
    // `send` has one deadline for the whole call; undici's own timeouts (300 s each) would end it earlier.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 20_000,
    allowH2: false,
    connectTimeout: connectTimeoutMs,
  };
  const proxied = proxy && openProxied(proxy, common);
  const direct = new Map<string, Pool>();
  return {
    of({ guarded }, origin) {
      if (proxied !== undefined && !guarded) return proxied;
      const key = guarded ? `guarded ${origin}` : origin;
      let pool = direct.get(key);
      if (pool === undefined) {
        pool = new Pool(origin, {
          ...common,
          ...(guarded ? { connect: guardedConnector({ connectTimeoutMs }) } : {}),
        });
        direct.set(key, pool);
      }
      return pool;
    },
    async destroy() {
      await Promise.all([proxied, ...direct.values()].map((pool) => pool?.destroy()));
    },
  };
}

async function decodedBody({ headers, body }: RawResponse, maxBytes: number): Promise<Buffer> {
  const encoding = headers['content-encoding'];
  if (encoding === undefined) return body;
  const decoded = await decodeBody(body, encoding, maxBytes);
  if ('error' in decoded) throw new GatherError(decoded.error);
  return decoded.body;
}

async function readResponse(
  raw: RawResponse,
  maxBytes: number,
  streamType: string,
  paceLarge: Pace,
): Promise<UpstreamResponse> {
  const { status, headers } = raw;
  if (status >= 300 && status < 400) throw new GatherError('redirected');
  const decoded = await decodedBody(raw, maxBytes);
  const pace = decoded.length < LARGE_BYTES ? atOnce : paceLarge;
  const kind = readResponseKind(headers['content-type'], decoded, streamType);
  if (status < 300) {
    if (kind === 'bad_encoding') throw new GatherError('bad_encoding');
    if (kind === 'other') throw new GatherError('not_json');
    const streamError =
      kind === 'event-stream' ? await streamErrorIn(headers, decoded, streamType, pace) : null;
    if (streamError !== null) throw new GatherError(streamError);
  }
  const isPlainStream = kind === 'event-stream' && streamType === EVENT_STREAM;
  const body = isPlainStream ? await pace(withoutOwnComments(decoded)) : decoded;
  return { status, headers, kind: kind === 'bad_encoding' ? 'other' : kind, body };
}
