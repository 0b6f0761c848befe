import { Readable } from 'node:stream';
import {
  type CodedError,
  type ErrorCode,
  OUTPUT_HEADER,
  shape,
  UNSCANNED_HEADER,
  VERDICT_HEADERS,
  WITHHELD_HEADER,
} from '@csg/shared/contract';
import type { Endpoint } from '@csg/shared/providers';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type, { type TSchema } from 'typebox';
import { CachedLookups } from '../flows/cached-lookups.ts';
import { relayCompletion } from '../flows/relay-completion.ts';
import { relayLookup } from '../flows/relay-lookup.ts';
import type { RelayReply } from '../flows/relay-reply.ts';
import type { RelayDependencies } from '../flows/relay-request.ts';
import { principalOf } from '../plugins/auth.ts';
import { logInternalError, toCodedError } from '../plugins/error-reply.ts';
import type { RawJsonBody } from '../plugins/json-body.ts';
import { needsScope } from '../plugins/route-access.ts';
import { formatMs, type VerdictSummary, verdictHeaders } from '../plugins/verdict-headers.ts';
import type { PathParams } from '../upstream/path-params.ts';
import { clientGone } from './client-gone.ts';
import { type CommonCodes, documented, KEY_CODES } from './documented.ts';
import { SERVED_ENDPOINTS, type ServedEndpoint } from './served-endpoints.ts';
import { unsupportedRoute } from './unsupported.ts';

const PROXY_CODES: readonly ErrorCode[] = [
  'invalid_request',
  'missing_api_key',
  'invalid_api_key',
  ...KEY_CODES,
  'missing_provider_key',
  'model_not_allowed',
  'token_budget_exceeded',
  'request_blocked',
  'response_blocked',
  'monthly_quota_exceeded',
  'spending_limit_exceeded',
  'subscription_inactive',
  'bot_detected',
  'payload_too_large',
  'unsupported_media_type',
  'detection_unavailable',
  'provider_error',
];
const MODEL_PROXY: CommonCodes = { of: 'model proxy', codes: PROXY_CODES };

/** Converts a path to the router's syntax: a parameter not followed by a slash needs a pattern; `:` is escaped. */
const routePath = (path: string): string =>
  path
    .replaceAll(':', '::')
    .replace(/\{(\w+)\}(?=(.?))/g, (_, name, next) => `:${name}${next === ':' ? '(.+)' : ''}`);

/** Returns a test whether an id in an address is the name of another route: `GET /responses/compact` is no response. */
function namesRoute(path: string): (params: PathParams) => boolean {
  const [above, name] = /^(.*)\{(\w+)\}(?:\/|$)/.exec(path)?.slice(1) ?? [];
  if (above === undefined || name === undefined) return () => false;
  const below = SERVED_ENDPOINTS.filter((one) => one.path.startsWith(above));
  const names = below.map((one) => one.path.slice(above.length).split('/', 1)[0]!);
  const taken = new Set(names.filter((one) => !one.includes('{')));
  return (params) => taken.has(params[name] ?? '');
}

/** Registers the model proxy: relays the provider's bodies byte for byte unless something was redacted. */
export function registerRelay(app: FastifyInstance, deps: RelayDependencies): void {
  registerServed(app, deps, (path) => path.startsWith('/v1/'), '/v1');
}

/** Registers the URLs of providers' packages outside of `/api/v1`. */
export function registerRelayOutside(app: FastifyInstance, deps: RelayDependencies): void {
  registerServed(app, deps, (path) => !path.startsWith('/v1/'), '');
}

function registerServed(
  app: FastifyInstance,
  deps: RelayDependencies,
  isHere: (path: string) => boolean,
  prefix: string,
): void {
  // The body has the provider's format: it is parsed in that format, never validated.
  app.setValidatorCompiler(() => () => true);
  const all = { ...deps, remembered: new CachedLookups(deps.clock) };
  for (const served of SERVED_ENDPOINTS) if (isHere(served.path)) registerEndpoint(app, all, served, prefix);
}

function registerEndpoint(
  app: FastifyInstance,
  deps: RelayDependencies & { readonly remembered: CachedLookups },
  { endpoint, version, operationId, summary, path: served }: ServedEndpoint,
  prefix: string,
): void {
  const path = served.slice(prefix.length);
  const isRoute = namesRoute(served);
  app.route<{ Body: RawJsonBody | undefined; Params: PathParams }>({
    method: endpoint.method,
    url: routePath(path),
    config: needsScope('proxy'),
    schema: documented({
      tag: 'Model proxy',
      id: operationId,
      summary,
      ...(endpoint.isBodiless ? LOOKUP : { ...COMPLETION, body: requestWith(endpoint.example) }),
      ...paramsOf(path),
      bodyIsOpaque: true,
      response: responseOf(endpoint),
      common: MODEL_PROXY,
      takesProviderKey: true,
    }),
    serializerCompiler: () => (data) => JSON.stringify(data),
    handler: async (request, reply) => {
      if (isRoute(request.params)) throw unsupportedRoute(request.url);
      const common = {
        endpoint,
        params: { ...request.params, version },
        route: path.slice(1),
        query: queryOf(request),
        headers: request.headers,
        requestId: request.id,
        signal: clientGone(request),
      };
      const principal = principalOf(request);
      const done = endpoint.isBodiless
        ? await relayLookup(deps, principal, common)
        : await relayCompletion(
            deps,
            principal,
            {
              ...common,
              ...(request.body ?? NO_BODY),
              ipAddress: request.ip,
              onStreamFailure: (cause) => streamFailure(request, reply, cause),
              onStreamVerdict: (evaluation) => sendTrailers(request, reply, evaluation),
            },
            (evaluation) => {
              request.verdict = evaluation;
            },
          );
      return sendReply(request, reply, done);
    },
  });
}

const NO_BODY: RawJsonBody = { bytes: Buffer.alloc(0), source: '', value: undefined };

const COMPLETION = {
  description:
    'Scans the prompt, forwards it with the provider credential of `Authorization: Bearer`, and scans the response. The `X-Service-*` headers contain the verdict.',
};

const LOOKUP = {
  description:
    'Forwarded with the provider credential of `Authorization: Bearer` to the provider that `X-Service-Provider` names; without this header, requests for models go to the provider that the credential belongs to. The response is scanned. Not counted.',
};

function responseOf({ name, streams }: Endpoint): TSchema {
  if (name === 'models') return modelList;
  // Without the query parameter for events, the frames are returned as one list.
  const body = providerBody('ProviderResponse');
  return typeof streams === 'object' ? Type.Array(body) : body;
}

const modelList = shape(
  'ModelList',
  { data: Type.Array(Type.Object({}, { additionalProperties: true })) },
  { additionalProperties: true },
);

function requestWith(example: object | undefined): TSchema {
  return Type.Intersect([providerBody('ProviderRequest')], { examples: [example] });
}

function providerBody(name: string): TSchema {
  return Type.Object(
    { model: Type.Optional(Type.String()), stream: Type.Optional(Type.Boolean()) },
    { $id: name, additionalProperties: true, description: "The provider's own body, unchanged." },
  );
}

function paramsOf(path: string): { params?: TSchema } {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, Type.String()] as const);
  return names.length === 0 ? {} : { params: Type.Object(Object.fromEntries(names)) };
}

function sendReply(request: FastifyRequest, reply: FastifyReply, done: RelayReply): FastifyReply {
  request.verdict = done.evaluation;
  if (done.withheld > 0) reply.header(WITHHELD_HEADER, done.withheld);
  if (done.unscanned.length > 0) reply.header(UNSCANNED_HEADER, [...new Set(done.unscanned)].join(', '));
  const provider = done.providerMs === null ? '' : `, provider;dur=${formatMs(done.providerMs)}`;
  reply.header('Server-Timing', `scan;dur=${formatMs(done.scanMs)}${provider}`);
  const { body } = done;
  if (done.headers[OUTPUT_HEADER] === 'live' && takesTrailers(request))
    reply.header('Trailer', Object.values(VERDICT_HEADERS).join(', '));
  const sent =
    typeof body === 'object' && Symbol.asyncIterator in body
      ? Readable.from(withHead(reply, body), OCTETS)
      : body;
  return reply.code(done.status).headers(done.headers).send(sent);
}

/** Sends the headers when the body is requested, even if its first byte takes long. */
async function* withHead(
  { raw }: FastifyReply,
  body: AsyncIterable<string | Buffer>,
): AsyncGenerator<string | Buffer> {
  raw.flushHeaders();
  yield* body;
}

const OCTETS = { objectMode: false };

/** Sends the verdict on a response whose headers were sent before. */
function sendTrailers(request: FastifyRequest, reply: FastifyReply, verdict: VerdictSummary): void {
  if (takesTrailers(request)) reply.raw.addTrailers(verdictHeaders(verdict));
}

function takesTrailers({ headers: { te } }: FastifyRequest): boolean {
  return String(te)
    .split(',')
    .some((coding) => coding.trim().toLowerCase() === 'trailers');
}

function streamFailure(request: FastifyRequest, reply: FastifyReply, cause: unknown): CodedError {
  request.hasStreamFailed = true;
  const error = toCodedError(cause, request);
  logInternalError(request, reply, error);
  return error;
}

function queryOf(request: FastifyRequest): string | undefined {
  const at = request.url.indexOf('?');
  return at === -1 ? undefined : request.url.slice(at + 1);
}
