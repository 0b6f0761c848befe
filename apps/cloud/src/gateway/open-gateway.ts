import cluster from 'node:cluster';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { PLANS, type Plans, type VersionResponse } from '@csg/shared/contract';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { type AppDependencies, type AppSettings, buildApp } from '../app.ts';
import { readBuildInfo } from '../config/build-info.ts';
import { createDeviceSigner } from '../config/device-signing-key.ts';
import type { Config } from '../config/parse-config.ts';
import { overridePlans } from '../config/plans.ts';
import { readJsonFile } from '../config/read-json-file.ts';
import { createSketchCache } from '../flows/agent/sketch-cache.ts';
import { createAuthenticator } from '../flows/authenticate-key.ts';
import type { Clock, Timers } from '../flows/clock.ts';
import { createDeviceChannel } from '../flows/devices/device-channel.ts';
import { createLinks } from '../flows/links.ts';
import { createSessionHistories } from '../flows/mcp/session-history.ts';
import { createPlainHeaders } from '../flows/read-request-headers.ts';
import { createBatchRunner } from '../flows/scrape-batch/batch-runner.ts';
import type { EnvironmentSso } from '../flows/single-sign-on/find-sso.ts';
import { createMetrics } from '../plugins/metrics.ts';
import { createSessionCookie } from '../plugins/session-cookie.ts';
import { newEventId, newId } from '../storage/ids.ts';
import { makeKey } from '../storage/key-format.ts';
import type { Storage } from '../storage/storage.ts';
import {
  configuredMcpServers,
  configuredProviders,
  SYSTEM_CLOCK,
  SYSTEM_TIMERS,
} from './configured-parts.ts';
import { type Detection, openDetection } from './open-detection.ts';
import { type Endpoints, openEndpoints } from './open-endpoints.ts';
import { openJobs } from './open-jobs.ts';
import { type Limits, openLimits } from './open-limits.ts';
import { openReaders, type Readers } from './open-readers.ts';
import { openRecords, type Records } from './open-records.ts';
import type { Opening } from './opening.ts';
import { shareMetrics } from './worker-metrics.ts';

export interface Gateway {
  readonly app: FastifyInstance;
  readonly storage: Storage;
  /** Makes the first long text as fast as later ones. If the engine cannot run, the first text reports that. */
  warmUp(): Promise<void>;
  /** Starts listening; resolves to the address, such as `http://127.0.0.1:8787`. */
  listen(): Promise<string>;
  /** Reports not ready, waits for running requests, then closes everything. */
  close(): Promise<void>;
}

const GUIDE_FOLDER = path.resolve(import.meta.dirname, '../../../../docs');
/** Built by scripts/bootstrap/build-dashboard.mjs. */
const DASHBOARD_FOLDER = path.resolve(import.meta.dirname, '../../dashboard/dist');

/**
 * Opens every part named in the configuration and builds the app from them; if one cannot be opened, those opened
 * before are closed. `scanThread`: a module for scan threads that replaces the service's own.
 */
export async function openGateway(
  config: Config,
  log: FastifyBaseLogger,
  clock: Clock & Partial<Timers> = SYSTEM_CLOCK,
  scanThread?: URL,
): Promise<Gateway> {
  await using closing = new AsyncDisposableStack();
  const metrics = createMetrics(cluster.isWorker ? shareMetrics : undefined);
  const timers = { after: clock.after ?? SYSTEM_TIMERS.after };
  const opening: Opening = { config, log, clock, timers, metrics, closing };
  const parts = await openParts(opening, scanThread);
  metrics.observeBacklog(() => parts.storage.deliveries.countPending());
  const publicUrl = () => config.publicUrl ?? addressOf(app, config.host);
  let isDraining = false;
  const wired = wire(opening, parts, publicUrl, () => isDraining);
  const app = await buildApp(wired.app);
  closing.defer(() => closeApp(app, config.drainMs));
  const { policyCalls } = parts;
  await openJobs(opening, { ...wired.app, policyCalls, batches: wired.batches }, publicUrl);
  closing.defer(() => {
    isDraining = true;
  });
  const opened = closing.move();
  return {
    app,
    storage: parts.storage,
    warmUp: () => parts.scanner.warmUp().catch(() => {}),
    async listen() {
      await app.listen({ host: config.host, port: config.port });
      return addressOf(app, config.host);
    },
    close: () => opened.disposeAsync(),
  };
}

interface Parts extends Records, Limits, Detection, Readers, Endpoints {
  readonly plans: Plans;
  readonly providers: AppDependencies['providers'];
  readonly mcpServers: AppDependencies['mcpServers'];
}

async function openParts(opening: Opening, scanThread: URL | undefined): Promise<Parts> {
  const { config } = opening;
  const providers = configuredProviders(config);
  const mcpServers = configuredMcpServers(config);
  const plans =
    config.plansFile === undefined
      ? PLANS
      : overridePlans(readJsonFile('GATEWAY_PLANS_FILE', config.plansFile));
  const records = await openRecords(opening);
  const limits = await openLimits(opening);
  const detection = await openDetection(opening, scanThread);
  const readers = openReaders(opening, limits.work);
  const endpoints = await openEndpoints(opening, records, limits.work);
  return { providers, mcpServers, plans, ...records, ...limits, ...detection, ...readers, ...endpoints };
}

/** Returns the app's dependencies, and the batch runner, which routes wake and a job polls. */
function wire(
  { config, log, clock, timers, metrics }: Opening,
  parts: Parts,
  publicUrl: () => string,
  isDraining: () => boolean,
) {
  const { storage, scanner, plans } = parts;
  const authenticator = createAuthenticator({ storage, scanner, plans, clock });
  const signer = createDeviceSigner(storage.deviceSeed);
  const forgetKeys = authenticator.forget;
  const settings = settingsOf(config);
  const origins = new Set(config.corsOrigins);
  const isOwnOrigin = (origin: string) => origin === URL.parse(publicUrl())?.origin;
  const flows = {
    ...parts,
    clock,
    timers,
    log,
    newEventId,
    newRequestId: () => newId('req'),
    observe: metrics.scanned,
    mcpHistories: createSessionHistories(),
    plainHeaders: createPlainHeaders(),
    sketches: createSketchCache(config.scanMemoryBytes / 4),
  };
  const batches = createBatchRunner(flows);
  const app: AppDependencies = {
    ...flows,
    metrics,
    authenticator,
    signer,
    channel: createDeviceChannel({ storage, signer, clock, log, forgetKeys }),
    codeHostSecret: config.codeHostSecret,
    wake: () => void batches.poll(),
    forgetKeys,
    cookie: createSessionCookie({ https: settings.https }),
    links: createLinks(publicUrl),
    makeKey,
    isAllowedOrigin: (origin) => origins.has(origin) || isOwnOrigin(origin),
    isOwnOrigin,
    environmentSso: environmentSsoOf(config),
    signUp: config.signUp,
    delivery: config.smtpUrl === undefined ? 'outbox' : 'smtp',
    build: buildOf(config),
    isDraining,
    settings,
  };
  return { app, batches };
}

function settingsOf(config: Config): AppSettings {
  return {
    https: config.publicUrl?.startsWith('https:') ?? false,
    trustProxy: config.trustProxy,
    edgeLimitPerMinute: config.edgeLimitPerMinute,
    bodyLimitBytes: config.bodyLimitBytes,
    requestTimeoutMs: config.requestTimeoutMs,
    metricsToken: config.metricsToken,
    channelPingMs: config.channelPingMs,
    streamHeadAfterMs: config.streamHeadAfterMs,
    maxMcpMessageBytes: config.responseLimitBytes,
    dashboardFolder: DASHBOARD_FOLDER,
    guideFolder: GUIDE_FOLDER,
  };
}

function environmentSsoOf(config: Config): EnvironmentSso | null {
  const { oidcIssuer: issuer, oidcClientId: clientId } = config;
  if (issuer === undefined || clientId === undefined) return null;
  return {
    issuer,
    clientId,
    clientSecret: config.oidcClientSecret ?? null,
    domains: config.oidcAllowedDomains,
    roleClaim: config.oidcRoleClaim ?? null,
    emailTrust: config.oidcEmailTrust,
  };
}

function buildOf(config: Config): VersionResponse {
  return {
    ...readBuildInfo(config.commit),
    environment: config.environment,
    node: process.versions.node,
    database: config.databaseUrl === undefined ? 'sqlite' : 'postgres',
  };
}

function addressOf(app: FastifyInstance, host: string): string {
  const { port } = (app.server.address() ?? { port: 0 }) as AddressInfo;
  const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `http://${shown}:${port}`;
}

/** Waits for running requests, up to the given time. */
async function closeApp(app: FastifyInstance, drainMs: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, drainMs).unref();
  await Promise.race([app.close(), late]);
  app.server.closeAllConnections();
}
