import cluster from 'node:cluster';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { PLANS } from '@csg/shared/contract';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { buildApp } from './app.ts';
import { readBuildInfo } from './config/build-info.ts';
import { createDeviceSigner } from './config/device-signing-key.ts';
import type { Config } from './config/parse-config.ts';
import { overridePlans } from './config/plans.ts';
import { readJsonFile } from './config/read-json-file.ts';
import {
  configuredProviders,
  openConfiguredStorage,
  openConfiguredTelemetry,
  SYSTEM_CLOCK,
} from './configured-parts.ts';
import { openClassifier } from './detection-workers/classifier.ts';
import { createScanMemory } from './detection-workers/scan-memory.ts';
import { createScanner } from './detection-workers/scanner.ts';
import { createPacedTurns } from './fairness/paced-turns.ts';
import { createFileReader } from './files/file-reader.ts';
import { createAuthenticator } from './flows/authenticate-key.ts';
import type { Clock } from './flows/clock.ts';
import { createDeviceChannel } from './flows/devices/device-channel.ts';
import { createLinks } from './flows/links.ts';
import { createBatchRunner } from './flows/scrape-batch/batch-runner.ts';
import { startClosingExceptions } from './jobs/close-exceptions.ts';
import { startDeliveringWebhooks } from './jobs/deliver-webhooks.ts';
import { startPruning } from './jobs/prune-records.ts';
import { startRunningBatches } from './jobs/run-batches.ts';
import { startSendingMails } from './jobs/send-mails.ts';
import { startTellingUsage } from './jobs/tell-usage.ts';
import { startWatchingDevices } from './jobs/watch-devices.ts';
import { createFailureLockout } from './limits/failure-lockout.ts';
import { createInFlightLimiter } from './limits/in-flight-limiter.ts';
import { createLocalLimiter } from './limits/minute-limiter.ts';
import { createSignInThrottle } from './limits/sign-in-throttle.ts';
import { createMetrics } from './plugins/metrics.ts';
import { createSessionCookie } from './plugins/session-cookie.ts';
import { createPageFetcher } from './scrape/fetch-page.ts';
import { createPageReader } from './scrape/page-reader.ts';
import { findBrowser } from './scrape/render/find-browser.ts';
import { createPageRenderer } from './scrape/render/render-page.ts';
import { newEventId, newId } from './storage/ids.ts';
import { makeKey } from './storage/key-format.ts';
import type { Storage } from './storage/storage.ts';
import { createUpstream } from './upstream/send.ts';
import { createCourier } from './webhooks/outbound/courier.ts';
import { createWebhookSender } from './webhooks/outbound/webhook-sender.ts';
import { createPolicyAsker } from './webhooks/policy-endpoint/ask-policy.ts';
import { createBreaker } from './webhooks/policy-endpoint/breaker.ts';
import { createConsultPolicy } from './webhooks/policy-endpoint/consult-policy.ts';
import { shareMetrics } from './worker-metrics.ts';

export { SYSTEM_CLOCK } from './configured-parts.ts';

export interface Gateway {
  readonly app: FastifyInstance;
  readonly storage: Storage;
  /** Starts listening; resolves to the address, such as `http://127.0.0.1:8787`. */
  listen(): Promise<string>;
  /** Turns readiness off, lets running requests end, then closes everything. */
  close(): Promise<void>;
}

/** Made by scripts/bootstrap/build-dashboard.mjs. */
const DASHBOARD_FOLDER = path.resolve(import.meta.dirname, '../dashboard/dist');

/**
 * Opens every real part named by the configuration and wires the app from them. `scanThread`: the module that scan
 * threads run, in place of the service's own.
 */
export async function openGateway(
  config: Config,
  log: FastifyBaseLogger,
  clock: Clock = SYSTEM_CLOCK,
  scanThread?: URL,
): Promise<Gateway> {
  const plans =
    config.plansFile === undefined
      ? PLANS
      : overridePlans(readJsonFile('GATEWAY_PLANS_FILE', config.plansFile));
  const providers = configuredProviders(config);
  const metrics = createMetrics(cluster.isWorker ? shareMetrics : undefined);
  const telemetry = await openConfiguredTelemetry(config, log, metrics.values);
  const traces = telemetry?.traces;
  const opened = await openConfiguredStorage(config, log, clock);
  const storage = traces ? { ...opened, decisions: traces.instrumentDecisions(opened.decisions) } : opened;
  // This and the mailer are loaded only where they are configured: their libraries take a tenth of a start.
  const shared =
    config.redisUrl === undefined
      ? null
      : await (await import('./limits/shared-limits.ts'))
          .openSharedLimits({ url: config.redisUrl, now: clock.now, log, observe: metrics.shared })
          .catch(async (error: unknown) => {
            await storage.close();
            throw error;
          });
  const keyHold = createFailureLockout({ limit: config.authFailureLimit, now: clock.now });
  const work = createInFlightLimiter({
    requests: config.loadLimitRequests,
    bytes: config.loadLimitBytes,
    elapsed: clock.elapsed,
  });
  metrics.observeWork(work.read);
  const classifier =
    config.classifierDir === undefined
      ? undefined
      : await openClassifier({
          dir: config.classifierDir,
          deadlineMs: config.classifierDeadlineMs,
          workers: config.classifierWorkers,
          observe: metrics.classified,
        });
  const pacedTurns = createPacedTurns({ elapsed: clock.elapsed });
  const scanner = createScanner({
    workers: config.scanWorkers,
    deadlineMs: config.scanDeadlineMs,
    threadFile: scanThread,
    classifier,
    pacedTurns,
    memory:
      config.scanMemoryBytes === 0
        ? undefined
        : createScanMemory({ sizeBytes: config.scanMemoryBytes, observe: metrics.recalled }),
  });
  const vendors = createUpstream({
    timeoutMs: config.upstreamTimeoutMs,
    maxResponseBytes: config.responseLimitBytes,
    connections: config.upstreamConnections,
    proxy:
      config.upstreamProxyUrl === undefined
        ? undefined
        : { url: config.upstreamProxyUrl, bypass: config.upstreamProxyBypass },
  });
  const upstream = traces?.instrumentUpstream(vendors) ?? vendors;
  const scrapeRules = { allowPrivate: config.scrapeAllowPrivate };
  const browserPath = findBrowser(config.chromiumPath, config.searchPath);
  const renderer = browserPath === null ? null : createPageRenderer(browserPath, scrapeRules);
  const fetcher = createPageFetcher(scrapeRules);
  const pages = {
    ...fetcher,
    render:
      renderer === null
        ? null
        : (url: string, timeoutMs: number) => work.releaseWhile(() => renderer.render(url, timeoutMs)),
    fetch: (url: string, timeoutMs: number) => work.releaseWhile(() => fetcher.fetch(url, timeoutMs)),
    ...createPageReader({ workers: config.scanWorkers }),
  };
  // Never on the main thread: a file may cost as much as it likes.
  const files = createFileReader({ threads: Math.max(1, config.scanWorkers) });
  const targetRules = { allowPrivate: config.webhookAllowPrivate || config.scrapeAllowPrivate };
  const receivers = createWebhookSender(targetRules);
  const sender = traces?.instrumentSender(receivers) ?? receivers;
  const base = () => config.publicUrl ?? addressOf(app, config.host);
  const https = config.publicUrl?.startsWith('https:') ?? false;
  const origins = new Set(config.corsOrigins);
  const isOwnOrigin = (origin: string) => origin === URL.parse(base())?.origin;
  let draining = false;
  const authenticator = createAuthenticator({ storage, scanner, plans, clock });
  const signer = createDeviceSigner(storage.deviceSeed);
  const channel = createDeviceChannel({ storage, signer, clock, log, forgetKeys: authenticator.forget });
  const newRequestId = () => newId('req');
  const policyAsker = createPolicyAsker(targetRules);
  const consultPolicy = createConsultPolicy({
    storage,
    policyAsker: {
      ask: (endpoint, question) => work.releaseWhile(() => policyAsker.ask(endpoint, question)),
    },
    breaker: createBreaker(),
    clock,
    log,
    observePolicy: metrics.consulted,
  });
  const batches = createBatchRunner({
    storage,
    scanner,
    pages,
    files,
    plans,
    clock,
    log,
    newEventId,
    newRequestId,
    consultPolicy,
    observe: metrics.scanned,
  });
  const app: FastifyInstance = await buildApp({
    storage,
    scanner,
    upstream: { ...upstream, send: (request) => work.releaseWhile(() => upstream.send(request)) },
    pages,
    files,
    work,
    pacedTurns,
    sender,
    targetRules,
    providers,
    authenticator,
    signer,
    channel,
    codeHostSecret: config.codeHostSecret,
    consultPolicy,
    wake: () => void batches.look(),
    observe: metrics.scanned,
    forgetKeys: authenticator.forget,
    cookie: createSessionCookie({ https }),
    limiter: shared?.limiter ?? createLocalLimiter(clock.now),
    lockout: shared?.share('keys', keyHold) ?? keyHold,
    metrics,
    traces,
    links: createLinks(base),
    clock,
    log,
    makeKey,
    newEventId,
    newRequestId,
    isAllowedOrigin: (origin) => origins.has(origin) || isOwnOrigin(origin),
    isOwnOrigin,
    plans,
    signInHolds: createSignInThrottle({
      addressLimit: config.authFailureLimit,
      now: clock.now,
      ...(shared === null ? {} : { share: shared.share }),
    }),
    signUp: config.signUp,
    delivery: config.smtpUrl === undefined ? 'outbox' : 'smtp',
    build: {
      ...readBuildInfo(config.commit),
      environment: config.environment,
      node: process.versions.node,
      database: config.databaseUrl === undefined ? 'sqlite' : 'postgres',
    },
    isDraining: () => draining,
    settings: {
      https,
      trustProxy: config.trustProxy,
      edgeLimitPerMinute: config.edgeLimitPerMinute,
      bodyLimitBytes: config.bodyLimitBytes,
      requestTimeoutMs: config.requestTimeoutMs,
      metricsToken: config.metricsToken,
      channelPingMs: config.channelPingMs,
      dashboardFolder: DASHBOARD_FOLDER,
    },
  });

  const pruning = startPruning({ storage, now: clock.now, log });
  const closing = startClosingExceptions({ storage, log });
  const watching = startWatchingDevices(channel);
  const mailing =
    config.smtpUrl === undefined
      ? null
      : startSendingMails({
          storage,
          mailer: (await import('./email/smtp-sender.ts')).createSmtpSender({
            url: config.smtpUrl,
            from: config.emailFrom ?? senderOf(base()),
          }),
          clock,
          log,
          observe: metrics.emailed,
        });
  const runningBatches = startRunningBatches(batches);
  const delivering = startDeliveringWebhooks(
    createCourier({ storage, sender, clock, log, observeDelivery: metrics.delivered }),
  );
  const telling = startTellingUsage({ storage, plans, clock, links: createLinks(base), log });

  return {
    app,
    storage,
    async listen() {
      await app.listen({ host: config.host, port: config.port });
      return addressOf(app, config.host);
    },
    async close() {
      draining = true;
      pruning.stop();
      watching.stop();
      await Promise.all([
        closing.stop(),
        delivering.stop(),
        telling.stop(),
        runningBatches.stop(),
        mailing?.stop(),
      ]);
      await Promise.race([app.close(), deadline(config.drainMs)]);
      app.server.closeAllConnections();
      await Promise.all([
        upstream.close(),
        scanner.close(),
        pages.close(),
        files.close(),
        renderer?.close(),
        policyAsker.close(),
        shared?.close(),
        telemetry?.close(),
      ]);
      await storage.close();
    },
  };
}

/** Without MAIL_FROM: the name people reach the service at. */
function senderOf(base: string): string {
  return `gateway@${URL.parse(base)?.hostname ?? 'localhost'}`;
}

function addressOf(app: FastifyInstance, host: string): string {
  const { port } = (app.server.address() ?? { port: 0 }) as AddressInfo;
  const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `http://${shown}:${port}`;
}

function deadline(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
