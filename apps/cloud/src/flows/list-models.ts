import type { IncomingHttpHeaders } from 'node:http';
import { CodedError } from '@csg/shared/contract';
import { endpointByName, formatOf, ownerOfCredential } from '@csg/shared/providers';
import { chooseProvider, type Provider } from '../upstream/providers.ts';
import { admitRequest } from './admit-request.ts';
import type { Principal } from './authenticate-key.ts';
import { evaluateResponse } from './evaluate-response.ts';
import type { Evaluation } from './evaluate-texts.ts';
import { findCredential } from './find-credential.ts';
import { headerText, type RelayDependencies } from './relay-completion.ts';
import { bearerOf } from './service-key.ts';

const MODELS = endpointByName('models');

/**
 * The model list of one provider: the one that X-Service-Provider names, else the one that the credential or the headers
 * of the client's package belong to, else the default one.
 */
export async function listModels(
  deps: RelayDependencies,
  principal: Principal,
  request: {
    readonly query: string | undefined;
    readonly headers: IncomingHttpHeaders;
    readonly requestId: string;
    readonly signal: AbortSignal;
  },
): Promise<{ headers: Readonly<Record<string, string>>; body: Buffer; evaluation: Evaluation }> {
  const provider = chooseProvider(deps.providers, {
    endpoint: MODELS.name,
    named:
      headerText(request.headers['x-service-provider']) || impliedProvider(deps.providers, request.headers),
  });
  const endpoint = provider.endpoints.get(MODELS.name) ?? MODELS;
  const credential = await findCredential(deps, principal, provider, request.headers);
  const usage = await admitRequest(deps, principal, 'monthly_quota_exceeded');
  // Its only decision comes after the vendor was asked, which is what counts.
  if (usage !== null) await deps.storage.usage.admit({ ...usage, limit: null, nowMs: deps.clock.now() });
  const response = await deps.upstream.send({
    provider,
    endpoint,
    query: request.query,
    headers: request.headers,
    body: null,
    credential,
    requestId: request.requestId,
    signal: request.signal,
  });
  const { evaluation, rejection, headers } = await evaluateResponse(deps, principal, {
    format: formatOf(endpoint),
    provider,
    response,
    route: 'models',
    model: null,
    requestId: request.requestId,
  });
  if (rejection !== null) throw rejection;
  if (evaluation.decision === 'block') {
    throw new CodedError('response_blocked', {
      fields: { event_id: evaluation.eventId, dashboard_url: deps.links.event(evaluation.eventId) },
    });
  }
  return { headers, body: response.body, evaluation };
}

/** By a header that only one provider's packages send; a key may show whose it is by its form. */
function impliedProvider(providers: readonly Provider[], headers: IncomingHttpHeaders): string | undefined {
  const owner = ownerOfCredential(bearerOf(headers.authorization) ?? '');
  const listing = providers.filter((provider) => provider.endpoints.has(MODELS.name));
  const implied = listing.find(({ impliedBy }) => impliedBy !== null && headers[impliedBy] !== undefined);
  return (implied ?? listing.find((provider) => provider.name === owner?.name))?.name;
}
