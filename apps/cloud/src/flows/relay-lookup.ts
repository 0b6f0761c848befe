import type { IncomingHttpHeaders } from 'node:http';
import { type Endpoint, formatOf, ownerOfCredential } from '@csg/shared/providers';
import type { Conversation } from '@csg/shared/text';
import type { PathParams } from '../upstream/path-params.ts';
import { chooseProvider, type Provider } from '../upstream/providers.ts';
import type { Principal } from './authenticate-key.ts';
import { blockedError } from './blocked-error.ts';
import { type CachedLookups, lookupKey } from './cached-lookups.ts';
import { evaluate } from './decision/evaluate.ts';
import { destinationOf } from './decision/find-exceptions.ts';
import { evaluateResponse } from './evaluate-response.ts';
import { findCredential } from './find-credential.ts';
import { readRequestHeaders } from './read-request-headers.ts';
import { headerText } from './relay-completion.ts';
import { outgoing, type RelayReply, unscannedReasons } from './relay-reply.ts';
import type { RelayDependencies } from './relay-request.ts';
import { bearerOf } from './service-key.ts';
import { spendTokensOfStored } from './token-budget.ts';

export interface LookupRequest {
  readonly endpoint: Endpoint;
  readonly params: PathParams;
  readonly route: string;
  readonly query: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly requestId: string;
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal;
}

/**
 * Relays a request that consists only of its address: models, stored responses. The response is evaluated like any
 * other; the request itself is not counted.
 */
export async function relayLookup(
  deps: RelayDependencies & { readonly remembered: CachedLookups },
  principal: Principal,
  request: LookupRequest,
): Promise<RelayReply> {
  const { headers, params } = request;
  const provider = chooseProvider(deps.providers, {
    endpoint: request.endpoint.name,
    model: params['model'],
    named: headerText(headers['x-service-provider']) || impliedProvider(deps.providers, request),
  });
  const endpoint = provider.endpoints.get(request.endpoint.name) ?? request.endpoint;
  const format = formatOf(endpoint);
  const credential = await findCredential(deps, principal, provider, headers, params['model']);
  const sent = await withoutFound(deps, principal, provider, request);
  const sentMs = deps.clock.elapsed();
  const response = await deps.upstream.send({
    provider,
    endpoint,
    params,
    query: request.query,
    headers: sent.headers,
    body: null,
    credential,
    requestId: request.requestId,
    signal: request.signal,
  });
  const providerMs = deps.clock.elapsed() - sentMs;
  const key = lookupKey(principal, request.route, response);
  const known = deps.remembered.find(key);
  const evaluated =
    known ??
    (await evaluateResponse(deps, principal, {
      format,
      provider,
      response,
      route: request.route,
      model: params['model'] ?? null,
      requestId: request.requestId,
      ...(endpoint.operation === 'retrieve' && {
        continues: {
          request: NO_MESSAGES,
          body: null,
          sessionId: null,
          startsAfter: params['response_id'] ?? null,
        },
      }),
    }));
  const { evaluation } = evaluated;
  if (known === undefined && endpoint.operation === 'retrieve') {
    await spendTokensOfStored(deps, principal, response);
    // A response under review is evaluated again each time, so that an approval takes effect.
    if (evaluation.verdict.review === undefined) deps.remembered.keep(key, evaluated);
  }
  return {
    ...(await outgoing(deps.links, format, response, evaluated)),
    evaluation,
    withheld: 0,
    unscanned: unscannedReasons([evaluation], evaluated.unscanned),
    scanMs: evaluation.scanMs,
    providerMs,
  };
}

/** Returns the request with masked headers. Throws if they are blocked. Nothing is recorded if nothing is found. */
async function withoutFound(
  deps: RelayDependencies,
  principal: Principal,
  provider: Provider,
  request: LookupRequest,
): Promise<LookupRequest> {
  const headers = readRequestHeaders(deps, principal, provider, request.headers);
  const conversation = headers.withBody(NO_MESSAGES);
  if (conversation === NO_MESSAGES) return request;
  const evaluation = await evaluate(deps, principal, {
    recorded: {
      route: request.route,
      model: request.params['model'] ?? null,
      requestId: request.requestId,
    },
    direction: 'input',
    texts: { conversation, unread: [] },
    delivery: 'written',
    destination: { host: destinationOf(provider), provider: provider.name },
  });
  if (evaluation.decision === 'block')
    throw blockedError(deps.links, 'request_blocked', evaluation, conversation);
  return headers.written(request, evaluation, conversation);
}

const NO_MESSAGES: Conversation = { messages: [], slots: [] };

/** Returns the provider implied by a header that only its client libraries send, or by the form of the key. */
function impliedProvider(
  providers: readonly Provider[],
  { endpoint, headers }: LookupRequest,
): string | undefined {
  // Only requests for models give the client no other way to select the provider.
  if (endpoint.operation !== 'list_models') return undefined;
  const owner = ownerOfCredential(bearerOf(headers.authorization) ?? '');
  const listing = providers.filter((provider) => provider.endpoints.has(endpoint.name));
  const implied = listing.find(({ impliedBy }) => impliedBy !== null && headers[impliedBy] !== undefined);
  return (implied ?? listing.find((provider) => provider.name === owner?.name))?.name;
}
