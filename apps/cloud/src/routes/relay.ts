import type { Socket } from 'node:net';
import { CodedError, type ErrorCode, shape, UNSCANNED_HEADER, WITHHELD_HEADER } from '@csg/shared/contract';
import { API_ENDPOINTS, PROVIDERS } from '@csg/shared/providers';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type, { type TSchema } from 'typebox';
import { listModels } from '../flows/list-models.ts';
import { type RelayDependencies, relayCompletion } from '../flows/relay-completion.ts';
import { principalOf } from '../plugins/auth.ts';
import type { RawJsonBody } from '../plugins/json-body.ts';
import { needsScope } from '../plugins/route-access.ts';
import { formatMs } from '../plugins/verdict-headers.ts';
import { documented } from './documented.ts';

const CODES: readonly ErrorCode[] = [
  'invalid_request',
  'missing_api_key',
  'invalid_api_key',
  'missing_provider_key',
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

/** Endpoints of the built-in providers that take bodies; the version is that of the service's own interface. */
const RELAYED = API_ENDPOINTS.filter(
  ({ name, method, path }) =>
    method === 'POST' &&
    path.startsWith('/v1/') &&
    PROVIDERS.some((one) => one.baseUrl !== undefined && one.endpoints.some((has) => has.name === name)),
);

/** As the router writes a path: its own sign is a colon. */
const routePath = (path: string): string => path.replaceAll(':', '::').replace('{model}', ':model');

function providerBody(example?: object): TSchema {
  return Type.Object(
    { model: Type.Optional(Type.String()), stream: Type.Optional(Type.Boolean()) },
    {
      additionalProperties: true,
      description: "The vendor's own body, passed on as it is.",
      ...(example === undefined ? { $id: 'ProviderResponse' } : { examples: [example] }),
    },
  );
}

/** The model proxy: the vendor's own bodies in and out, byte for byte unless something was redacted. */
export function registerRelay(app: FastifyInstance, deps: RelayDependencies): void {
  // The vendor's body is the vendor's business: it is read by its format, never validated.
  app.setValidatorCompiler(() => () => true);
  for (const endpoint of RELAYED) registerEndpoint(app, deps, endpoint);
  registerModels(app, deps);
}

function registerEndpoint(
  app: FastifyInstance,
  deps: RelayDependencies,
  endpoint: (typeof RELAYED)[number],
): void {
  const path = endpoint.path.slice('/v1'.length);
  app.post<{ Body: RawJsonBody; Params: { readonly model?: string } }>(
    routePath(path),
    {
      config: needsScope('proxy'),
      schema: documented({
        tag: 'Model proxy',
        id: endpoint.operationId ?? endpoint.name,
        summary: endpoint.summary ?? endpoint.name,
        description:
          'Scans the prompt, forwards it with the provider credential of `Authorization: Bearer`, and scans the response. The `X-Service-*` headers contain the verdict.',
        body: providerBody(endpoint.example),
        bodyIsOpaque: true,
        response: providerBody(),
        codes: CODES,
        takesProviderKey: true,
      }),
      serializerCompiler: () => (data) => JSON.stringify(data),
    },
    async (request, reply) => {
      const { bytes, source, value } = request.body ?? {
        bytes: Buffer.alloc(0),
        source: '',
        value: undefined,
      };
      const done = await relayCompletion(
        deps,
        principalOf(request),
        {
          endpoint,
          model: request.params.model,
          route: path.slice(1),
          query: queryOf(request),
          headers: request.headers,
          bytes,
          source,
          value,
          requestId: request.id,
          ipAddress: request.ip,
          signal: clientLeft(request),
        },
        (evaluation) => {
          request.verdict = evaluation;
        },
      );
      if (done.withheld > 0) reply.header(WITHHELD_HEADER, done.withheld);
      if (done.unscanned.length > 0) reply.header(UNSCANNED_HEADER, [...new Set(done.unscanned)].join(', '));
      reply.header(
        'Server-Timing',
        `scan;dur=${formatMs(done.scanMs)}, provider;dur=${formatMs(done.providerMs)}`,
      );
      return reply.code(done.status).headers(done.headers).send(done.body);
    },
  );
}

function registerModels(app: FastifyInstance, deps: RelayDependencies): void {
  app.get(
    '/models',
    {
      config: needsScope('proxy'),
      schema: documented({
        tag: 'Model proxy',
        id: 'listModels',
        summary: 'List models',
        description:
          'Returns the models of the default provider, or of the one that `X-Service-Provider` names.',
        response: shape(
          'ModelList',
          { data: Type.Array(Type.Object({}, { additionalProperties: true })) },
          { additionalProperties: true },
        ),
        codes: CODES,
        takesProviderKey: true,
      }),
      serializerCompiler: () => (data) => JSON.stringify(data),
    },
    async (request, reply) => {
      const done = await listModels(deps, principalOf(request), {
        query: queryOf(request),
        headers: request.headers,
        requestId: request.id,
        signal: clientLeft(request),
      });
      request.verdict = done.evaluation;
      return reply.headers(done.headers).send(done.body);
    },
  );
}

function queryOf(request: FastifyRequest): string | undefined {
  const at = request.url.indexOf('?');
  return at === -1 ? undefined : request.url.slice(at + 1);
}

const departures = new WeakMap<Socket, AbortSignal>();

/** Aborts when the client hangs up, so that the vendor's call ends too. One for all requests of a connection. */
function clientLeft({ socket }: FastifyRequest): AbortSignal {
  const known = departures.get(socket);
  if (known !== undefined) return known;
  const controller = new AbortController();
  socket.once('close', () => {
    controller.abort(
      new CodedError('service_unavailable', { message: 'The client left before it was answered.' }),
    );
  });
  departures.set(socket, controller.signal);
  return controller.signal;
}
