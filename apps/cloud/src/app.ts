import type { Server } from 'node:http';
import { SCIM_TYPE } from '@csg/shared/contract';
import Fastify, { type FastifyHttpOptions, type FastifyInstance, LogController } from 'fastify';
import type { FailureLockout } from './limits/failure-lockout.ts';
import type { InFlightLimiter } from './limits/in-flight-limiter.ts';
import { registerOpenApi } from './openapi/register-openapi.ts';
import { registerAuth, registerScope } from './plugins/auth.ts';
import {
  createBrokenRequests,
  handleExpectHeader,
  modelTarget,
  shortTarget,
} from './plugins/broken-requests.ts';
import { registerClientAddress } from './plugins/client-address.ts';
import { registerCommonHeaders } from './plugins/common-headers.ts';
import { registerCors } from './plugins/cors.ts';
import { registerDirectoryAuth } from './plugins/directory-auth.ts';
import { registerErrorReply } from './plugins/error-reply.ts';
import { registerIdempotency } from './plugins/idempotency.ts';
import { registerJsonBody } from './plugins/json-body.ts';
import { registerLabels } from './plugins/labels.ts';
import { LAZY_COMPILERS } from './plugins/lazy-compilers.ts';
import { registerDrain, registerLoadShedding } from './plugins/load-shedding.ts';
import { registerMethodNotAllowed } from './plugins/method-not-allowed.ts';
import { type Metrics, registerMetrics } from './plugins/metrics.ts';
import { moveQueryKey } from './plugins/query-key.ts';
import { registerAccountLimit, registerEdgeLimit } from './plugins/rate-limit.ts';
import { registerRejectedUsage } from './plugins/rejected-usage.ts';
import { openToAll, requireRouteAccess } from './plugins/route-access.ts';
import { registerSessions } from './plugins/session.ts';
import { registerStrictHeaders } from './plugins/strict-headers.ts';
import { registerTracing, tracedLogs } from './plugins/tracing.ts';
import { registerVerdictHeaders } from './plugins/verdict-headers.ts';
import { registerWebSockets } from './plugins/web-sockets.ts';
import { pageTarget, registerDashboardPages } from './routes/dashboard-pages.ts';
import type { RouteDependencies, RouteSettings } from './routes/route-dependencies.ts';
import {
  DASHBOARD_ROUTES,
  DEVELOPER_ROUTES,
  DIRECTORY_ROUTES,
  PROVIDER_ROUTES,
  type RouteGroup,
  SERVICE_ROUTES,
} from './routes/route-list.ts';
import { registerScimReplies } from './routes/scim/scim-replies.ts';
import type { Traces } from './telemetry/telemetry.ts';

/** Everything the app is wired from: dependencies of the routes and of the plugins. */
export interface AppDependencies extends RouteDependencies {
  readonly lockout: FailureLockout;
  readonly work: InFlightLimiter;
  readonly metrics: Metrics;
  /** Traces of requests for a collector. */
  readonly traces?: Traces | null | undefined;
  readonly isAllowedOrigin: (origin: string) => boolean;
  readonly settings: AppSettings;
}

export interface AppSettings extends RouteSettings {
  readonly https: boolean;
  readonly trustProxy: boolean;
  readonly edgeLimitPerMinute: number;
  readonly requestTimeoutMs: number;
  readonly metricsToken: string | undefined;
  /** Folder with the built dashboard. */
  readonly dashboardFolder: string;
}

const HEADERS_TIMEOUT_MS = 60_000;
const SOCKET_ADDRESS = /^\/api\/v1(?:\/proxy)?\/(?:devices\/channel|responses)(?:\?|$)/;
/** A group of 20,000 members, each with its name and address. */
const DIRECTORY_BODY_BYTES = 4_194_304;
/**
 * Bodies are validated as they are: nothing is coerced, dropped or filled in. Schemas are constants of this code,
 * checked by the tests of the OpenAPI document; checking them here would delay the first request of a process.
 */
const AJV_OPTIONS = {
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  validateSchema: false,
} as const;

/** Registers plugins, then routes, in order. Does not listen. */
export async function buildApp(deps: AppDependencies): Promise<FastifyInstance> {
  const { settings } = deps;
  const app = Fastify(serverOptions(deps));
  await registerPlugins(app, deps);
  await registerOpenApi(app);
  await registerWebSockets(app, settings.bodyLimitBytes);
  registerMethodNotAllowed(app);
  requireRouteAccess(app);
  registerMetrics(app, deps.metrics, settings.metricsToken);
  await registerDashboardPages(app, settings.dashboardFolder);
  for (const register of SERVICE_ROUTES) register(app, deps);
  app.get('/openapi.json', { config: openToAll(), schema: { hide: true } }, async () => app.swagger());
  for (const prefix of ['/api/v1', '/api/v1/proxy']) {
    await app.register((scope) => registerDeveloperApi(scope, deps, DEVELOPER_ROUTES, prefix !== '/api/v1'), {
      prefix,
    });
  }
  await app.register((scope) => registerDeveloperApi(scope, deps, PROVIDER_ROUTES, false), {
    prefix: '/api',
  });
  await app.register((scope) => registerDashboard(scope, deps), { prefix: '/dashboard' });
  await app.register((scope) => registerDirectory(scope, deps), { prefix: '/scim/v2' });
  return app;
}

function serverOptions(deps: AppDependencies): FastifyHttpOptions<Server> {
  const { settings, newRequestId } = deps;
  const newEventId = () => deps.newEventId(deps.clock.now());
  return {
    ...createBrokenRequests({ newRequestId, newEventId }),
    rewriteUrl: (request) =>
      moveQueryKey(
        modelTarget(shortTarget(pageTarget(request.url ?? '/', request.method, request.headers.accept))),
        request,
      ),
    loggerInstance: deps.log,
    // registerRequestLog writes the only log line.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newRequestId,
    // registerDrain responds in our envelope.
    return503OnClosing: false,
    requestIdHeader: false,
    ...(deps.traces ? tracedLogs(deps.traces) : {}),
    // Trusts one proxy of the operator: the entry it appended is genuine, earlier ones come from the client.
    trustProxy: settings.trustProxy && ((_address, hop) => hop === 0),
    bodyLimit: settings.bodyLimitBytes,
    requestTimeout: settings.requestTimeoutMs,
    http: {
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, settings.requestTimeoutMs),
      // How often Node checks for requests past their timeout.
      connectionsCheckingInterval: Math.min(10_000, Math.ceil(settings.requestTimeoutMs / 4)),
      keepAliveTimeout: 75_000,
      requireHostHeader: false,
      // For other URLs an Upgrade header is ignored; some HTTP/2 clients send one with every request.
      shouldUpgradeCallback: (request) => SOCKET_ADDRESS.test(request.url ?? ''),
    },
    routerOptions: { maxParamLength: 256 },
    schemaController: LAZY_COMPILERS,
    ajv: { customOptions: AJV_OPTIONS },
  };
}

/** Registers the plugins for every request, regardless of its route. */
async function registerPlugins(app: FastifyInstance, deps: AppDependencies): Promise<void> {
  const { settings, limiter, clock } = deps;
  handleExpectHeader(app);
  if (deps.traces) registerTracing(app, deps.traces);
  registerErrorReply(app);
  registerCommonHeaders(app, { https: settings.https });
  registerStrictHeaders(app);
  registerVerdictHeaders(app, () => deps.newEventId(clock.now()));
  await registerCors(app, deps.isAllowedOrigin);
  registerDrain(app, deps.isDraining);
  registerEdgeLimit(app, { limiter, now: clock.now }, settings.edgeLimitPerMinute);
  registerClientAddress(app, deps);
  registerRequestLog(app);
}

/** Mounts the developers' routes; they are mounted a second time under the `/proxy` alias. */
async function registerDeveloperApi(
  app: FastifyInstance,
  deps: AppDependencies,
  groups: readonly RouteGroup[],
  /** True for the second mount, which is left out of the OpenAPI document. */
  isAlias: boolean,
): Promise<void> {
  if (isAlias) {
    app.addHook('onRoute', (route) => {
      route.schema = { ...route.schema, hide: true };
    });
  }
  registerAuth(app, deps);
  registerLoadShedding(app, deps);
  registerAccountLimit(app, { limiter: deps.limiter, now: deps.clock.now });
  registerScope(app);
  registerRejectedUsage(app, deps.meter);
  registerLabels(app);
  registerIdempotency(app, { storage: deps.storage, now: deps.clock.now });
  for (const group of groups) {
    await app.register(async (scope) => registerGroup(scope, deps, group));
  }
}

async function registerDashboard(app: FastifyInstance, deps: AppDependencies): Promise<void> {
  await registerSessions(app, deps);
  registerLoadShedding(app, deps);
  registerGroup(app, deps, DASHBOARD_ROUTES);
}

async function registerDirectory(app: FastifyInstance, deps: AppDependencies): Promise<void> {
  registerJsonBody(app, 'typed', DIRECTORY_BODY_BYTES, deps.pacedTurns, [SCIM_TYPE, 'application/json']);
  registerScimReplies(app);
  registerDirectoryAuth(app, deps);
  for (const register of DIRECTORY_ROUTES) register(app, deps);
}

function registerGroup(app: FastifyInstance, deps: AppDependencies, group: RouteGroup): void {
  const { bodies, maxBodyBytes = Number.POSITIVE_INFINITY, routes } = group;
  if (bodies !== 'own') {
    const limitBytes = Math.min(maxBodyBytes, deps.settings.bodyLimitBytes);
    registerJsonBody(app, bodies, limitBytes, deps.pacedTurns);
  }
  for (const register of routes) register(app, deps);
}

/** Logs one line per request: caller, route, result. No body, header or query. */
function registerRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        key_id: request.principal?.keyId,
        user_id: request.signedIn?.userId,
        event_id: request.verdict?.eventId,
        decision: request.verdict?.decision,
      },
      'answered',
    );
    done();
  });
}
