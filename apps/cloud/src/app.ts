import type { Plans, VersionAnswer } from '@csg/shared/contract';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { DeviceSigner } from './config/device-signing-key.ts';
import type { Scanner } from './detection-workers/scanner.ts';
import type { PacedTurns } from './fairness/paced-turns.ts';
import type { Authenticator } from './flows/authenticate-key.ts';
import type { Clock } from './flows/clock.ts';
import type { DeviceChannel } from './flows/devices/device-channel.ts';
import type { Links } from './flows/links.ts';
import { createReadiness } from './flows/read-readiness.ts';
import type { ScrapePageDeps } from './flows/scrape-page.ts';
import type { FailureHold } from './limits/failure-hold.ts';
import type { MinuteLimiter } from './limits/minute-limiter.ts';
import type { SignInHolds } from './limits/sign-in-holds.ts';
import type { WorkInHand } from './limits/work-in-hand.ts';
import { openApiDocument } from './openapi.ts';
import type { GuardRules } from './outbound/guarded-connector.ts';
import { registerAuth, registerScope } from './plugins/auth.ts';
import { createBrokenRequests, letHooksAnswer, shortTarget } from './plugins/broken-requests.ts';
import { registerCors } from './plugins/cors.ts';
import { registerDrain } from './plugins/drain.ts';
import { registerErrorReply } from './plugins/error-reply.ts';
import { registerIdempotency } from './plugins/idempotency.ts';
import { registerJsonBody } from './plugins/json-body.ts';
import { LAZY_COMPILERS } from './plugins/lazy-compilers.ts';
import { registerLoadShedding } from './plugins/load-shedding.ts';
import { collectMethods } from './plugins/method-not-allowed.ts';
import { type Metrics, registerMetrics } from './plugins/metrics.ts';
import { registerAccountLimit, registerEdgeLimit } from './plugins/rate-limit.ts';
import { registerRequestId } from './plugins/request-id.ts';
import { requireRouteAccess } from './plugins/route-access.ts';
import { registerSecurityHeaders } from './plugins/security-headers.ts';
import { createSessionCookie } from './plugins/session-cookie.ts';
import { registerStrictHeaders } from './plugins/strict-headers.ts';
import { registerTracing, tracedLogs } from './plugins/tracing.ts';
import { registerVerdictHeaders } from './plugins/verdict-headers.ts';
import { registerWebSockets } from './plugins/web-sockets.ts';
import { registerAccount } from './routes/account.ts';
import { registerAgent } from './routes/agent.ts';
import { registerCodeHosting } from './routes/code-hosting.ts';
import { registerDashboard } from './routes/dashboard/all.ts';
import { pageTarget, registerDashboardPages } from './routes/dashboard-pages.ts';
import { registerDeviceChannel } from './routes/device-channel.ts';
import { registerDeviceUnenroll } from './routes/device-unenroll.ts';
import { registerDevices } from './routes/devices.ts';
import { registerExceptions } from './routes/exceptions.ts';
import { registerGuard } from './routes/guard.ts';
import { registerKeys } from './routes/keys.ts';
import { registerProjects } from './routes/projects.ts';
import { registerRelay } from './routes/relay.ts';
import { registerScim } from './routes/scim/all.ts';
import { registerScrape } from './routes/scrape.ts';
import { registerSecurity } from './routes/security.ts';
import { registerSecurityTesting } from './routes/security-testing.ts';
import { registerApiHealth, registerService } from './routes/service.ts';
import { registerToolRequests } from './routes/tool-requests.ts';
import type { Storage } from './storage/storage.ts';
import type { Traces } from './telemetry/telemetry.ts';
import type { Provider } from './upstream/providers.ts';
import type { Upstream } from './upstream/send.ts';
import type { WebhookSender } from './webhooks/outbound/webhook-sender.ts';
import type { ConsultPolicy } from './webhooks/policy-endpoint/consult-policy.ts';

/** Everything the service is wired from. `main.ts` opens the real parts; tests hand in real ones of their own. */
export interface AppDeps {
  readonly storage: Storage;
  readonly scanner: Scanner;
  readonly upstream: Upstream;
  readonly pages: ScrapePageDeps['pages'];
  readonly files: ScrapePageDeps['files'];
  readonly providers: readonly Provider[];
  readonly authenticator: Authenticator;
  readonly limiter: MinuteLimiter;
  readonly hold: FailureHold;
  readonly work: WorkInHand;
  /** Where large bodies are read. */
  readonly pacedTurns: PacedTurns;
  readonly metrics: Metrics;
  /** Where a collector is told of requests. */
  readonly traces?: Traces | null | undefined;
  readonly links: Links;
  readonly signer: DeviceSigner;
  readonly channel: DeviceChannel;
  readonly sender: WebhookSender;
  /** Which addresses tenants may enter to be told of things. */
  readonly targetRules: GuardRules;
  /** Signs what a code host delivers; undefined: none is configured. */
  readonly codeHostSecret: string | undefined;
  readonly consultPolicy: ConsultPolicy;
  /** Tells the runner of batches that there is something to do. */
  readonly wakeBatches: () => void;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  readonly makeKey: () => string;
  readonly newEventId: (nowMs: number) => string;
  readonly newRequestId: () => string;
  readonly isAllowedOrigin: (origin: string) => boolean;
  /** Whether this is the origin people reach the service's own pages at. */
  readonly isOwnOrigin: (origin: string) => boolean;
  readonly plans: Plans;
  readonly signInHolds: SignInHolds;
  readonly signUp: 'open' | 'invitation';
  readonly delivery: 'smtp' | 'outbox';
  readonly build: VersionAnswer;
  readonly isDraining: () => boolean;
  readonly settings: {
    readonly https: boolean;
    readonly trustProxy: boolean;
    readonly edgeLimitPerMinute: number;
    readonly bodyLimitBytes: number;
    readonly requestTimeoutMs: number;
    readonly metricsToken: string | undefined;
    readonly channelPingMs: number;
    /** Where the build of the dashboard lies. */
    readonly dashboardFolder: string;
  };
}

const HEADERS_TIMEOUT_MS = 60_000;
const CHANNEL_ADDRESS = /^\/api\/v1(?:\/proxy)?\/devices\/channel(?:\?|$)/;
/** Devices report and ask in small bodies. */
const DEVICE_BODY_BYTES = 1_048_576;
/** The playground's longest text is the largest thing a page sends. */
const DASHBOARD_BODY_BYTES = 1_048_576;

/** Registers plugins, then routes, in order. Never listens. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { settings } = deps;
  const newEventId = () => deps.newEventId(deps.clock.now());
  const app = Fastify({
    ...createBrokenRequests({ newRequestId: deps.newRequestId, newEventId }),
    rewriteUrl: (request) =>
      shortTarget(pageTarget(request.url ?? '/', request.method, request.headers.accept)),
    loggerInstance: deps.log,
    // registerRequestLog writes the one line there is.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: deps.newRequestId,
    // registerDrain says it in our envelope.
    return503OnClosing: false,
    requestIdHeader: false,
    ...(deps.traces ? tracedLogs(deps.traces) : {}),
    // One proxy of the operator's own: what it appended is true, what stands before it the client wrote.
    trustProxy: settings.trustProxy && ((_address, hop) => hop === 0),
    bodyLimit: settings.bodyLimitBytes,
    requestTimeout: settings.requestTimeoutMs,
    http: {
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, settings.requestTimeoutMs),
      // How often Node looks for requests that are late.
      connectionsCheckingInterval: Math.min(10_000, Math.ceil(settings.requestTimeoutMs / 4)),
      keepAliveTimeout: 75_000,
      requireHostHeader: false,
      // Elsewhere an Upgrade header (some HTTP/2 clients send one with every request) is no more than a wish.
      shouldUpgradeCallback: (request) => CHANNEL_ADDRESS.test(request.url ?? ''),
    },
    routerOptions: { maxParamLength: 256 },
    schemaController: LAZY_COMPILERS,
    // Bodies are held to their schema as they are: nothing is coerced, dropped or filled in.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
  });

  letHooksAnswer(app);
  if (deps.traces) registerTracing(app, deps.traces);
  registerErrorReply(app);
  registerRequestId(app);
  registerSecurityHeaders(app, { https: settings.https });
  registerStrictHeaders(app);
  registerVerdictHeaders(app, newEventId);
  await registerCors(app, deps.isAllowedOrigin);
  registerDrain(app, deps.isDraining);
  registerEdgeLimit(app, { limiter: deps.limiter, now: deps.clock.now }, settings.edgeLimitPerMinute);
  registerRequestLog(app);
  await app.register(swagger, { openapi: openApiDocument });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    // Swagger UI sets styles from its script; everything else comes from this origin.
    staticCSP:
      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
    theme: { title: 'Content Security Gateway' },
    uiConfig: {
      layout: 'BaseLayout',
      docExpansion: 'list',
      tryItOutEnabled: true,
      displayRequestDuration: true,
      defaultModelsExpandDepth: -1,
    },
  });

  await registerWebSockets(app);
  const notAllowed = collectMethods(app);
  requireRouteAccess(app);
  registerMetrics(app, deps.metrics, settings.metricsToken);
  await registerDashboardPages(app, settings.dashboardFolder);
  registerService(app, {
    isDraining: deps.isDraining,
    isOverloaded: deps.work.isOverloaded,
    faults: createReadiness(deps),
  });
  app.get('/openapi.json', { config: { access: { auth: 'none' } }, schema: { hide: true } }, async () =>
    app.swagger(),
  );

  for (const prefix of ['/api/v1', '/api/v1/proxy']) {
    await app.register(async (scope) => registerApi(scope, deps, prefix !== '/api/v1'), { prefix });
  }
  await app.register(
    async (scope) => {
      registerJsonBody(
        scope,
        'typed',
        Math.min(DASHBOARD_BODY_BYTES, settings.bodyLimitBytes),
        deps.pacedTurns,
      );
      await registerDashboard(scope, {
        ...deps,
        cookie: createSessionCookie({ https: settings.https }),
        forgetKeys: deps.authenticator.forget,
      });
    },
    { prefix: '/dashboard' },
  );
  await app.register(
    async (scope) => registerScim(scope, { ...deps, forgetKeys: deps.authenticator.forget }),
    { prefix: '/scim/v2' },
  );
  await app.register(async (scope) => notAllowed(scope));
  return app;
}

/** The developers' interface. Mounted twice: the `/proxy` alias is the same routes under another address. */
async function registerApi(app: FastifyInstance, deps: AppDeps, isAlias: boolean): Promise<void> {
  if (isAlias) {
    app.addHook('onRoute', (route) => {
      route.schema = { ...route.schema, hide: true };
    });
  }
  registerAuth(app, deps);
  registerLoadShedding(app, deps);
  registerAccountLimit(app, { limiter: deps.limiter, now: deps.clock.now });
  registerScope(app);
  registerIdempotency(app, { storage: deps.storage, now: deps.clock.now });
  registerApiHealth(app, deps.work.isOverloaded);
  const flows = {
    ...deps,
    observe: deps.metrics.scanned,
    forgetKeys: deps.authenticator.forget,
    wake: deps.wakeBatches,
  };
  await app.register(async (scope) => {
    registerJsonBody(scope, 'typed', deps.settings.bodyLimitBytes, deps.pacedTurns);
    registerGuard(scope, flows);
    registerSecurity(scope, flows);
    registerScrape(scope, flows);
    registerAgent(scope, flows);
    registerKeys(scope, flows);
    registerProjects(scope, flows);
    registerAccount(scope, flows);
    registerSecurityTesting(scope, flows);
  });
  await app.register(async (scope) => {
    registerJsonBody(
      scope,
      'typed',
      Math.min(DEVICE_BODY_BYTES, deps.settings.bodyLimitBytes),
      deps.pacedTurns,
    );
    registerDevices(scope, flows);
    registerDeviceUnenroll(scope, flows);
    registerDeviceChannel(scope, { ...flows, pingEveryMs: deps.settings.channelPingMs });
    registerExceptions(scope, flows);
    registerToolRequests(scope, flows);
  });
  await app.register(async (scope) => {
    registerJsonBody(scope, 'raw', deps.settings.bodyLimitBytes, deps.pacedTurns);
    registerRelay(scope, flows);
  });
  await app.register(async (scope) => registerCodeHosting(scope, flows, deps.settings.bodyLimitBytes));
}

/** One line per request: who, what, how it ended. No body, no header, no query. */
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
