import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { PLANS } from '@csg/shared/contract';
import { pino } from 'pino';
import { type AppDependencies, buildApp } from '../../apps/cloud/src/app.ts';
import { createLinks } from '../../apps/cloud/src/flows/links.ts';
import { createMetrics } from '../../apps/cloud/src/plugins/metrics.ts';

/** Returns the OpenAPI document of the service's routes, without listening or opening a database. */
export async function makeOpenApi(): Promise<string> {
  const app = await buildApp(unopenedDeps());
  try {
    await app.ready();
    return formatJson(JSON.stringify(app.swagger()));
  } finally {
    await app.close();
  }
}

/** Formats JSON with the project's own formatter, which uses one line if it fits. */
function formatJson(text: string): string {
  const biome = path.resolve(import.meta.dirname, '../../node_modules/@biomejs/biome/bin/biome');
  const args = [biome, 'format', '--stdin-file-path=openapi.json'];
  return execFileSync(process.execPath, args, { input: text, encoding: 'utf8', maxBuffer: 16_777_216 });
}

/** The document depends only on the routes' schemas, so any call of a dependency is an error. */
function unopenedDeps(): AppDependencies {
  const unopened = <T extends object>(part: string): T =>
    new Proxy((() => {}) as unknown as T, {
      get: (_target, name) => unopened(`${part}.${String(name)}`),
      apply() {
        throw new Error(`generating the OpenAPI document called ${part}, which needs a running service`);
      },
    });
  const base = () => 'http://127.0.0.1:8787';
  return {
    storage: unopened('storage'),
    scanner: unopened('scanner'),
    meter: unopened('meter'),
    upstream: unopened('upstream'),
    pages: unopened('pages'),
    files: unopened('files'),
    sender: unopened('sender'),
    targetRules: {},
    providers: [],
    authenticator: unopened('authenticator'),
    limiter: unopened('limiter'),
    lockout: unopened('hold'),
    work: unopened('work'),
    pacedTurns: unopened('pacedTurns'),
    metrics: createMetrics(),
    links: createLinks(base),
    signer: unopened('signer'),
    channel: unopened('channel'),
    environmentSso: null,
    identityProviders: unopened('identityProviders'),
    readTxtRecords: unopened('readTxtRecords'),
    codeHostSecret: undefined,
    consultPolicy: unopened('consultPolicy'),
    mcpServers: [],
    mcpTransport: unopened('mcpTransport'),
    timestampAuthority: null,
    mcpHistories: unopened('mcpHistories'),
    sketches: unopened('sketches'),
    plainHeaders: unopened('plain headers'),
    wake: () => {},
    observe: () => {},
    forgetKeys: () => {},
    cookie: unopened('cookie'),
    clock: { now: () => 0, elapsed: () => 0 },
    timers: unopened('timers'),
    log: pino({ level: 'silent' }),
    makeKey: () => '',
    newEventId: () => '',
    newRequestId: () => '',
    isAllowedOrigin: () => false,
    isOwnOrigin: () => false,
    plans: PLANS,
    signInThrottle: unopened('signInThrottle'),
    signUp: 'open',
    delivery: 'smtp',
    build: { version: '', commit: null, environment: '', node: '', database: 'sqlite' },
    isDraining: () => false,
    settings: {
      https: false,
      trustProxy: false,
      edgeLimitPerMinute: 0,
      bodyLimitBytes: 33_554_432,
      requestTimeoutMs: 300_000,
      metricsToken: undefined,
      channelPingMs: 25_000,
      streamHeadAfterMs: 120_000,
      maxMcpMessageBytes: 0,
      dashboardFolder: import.meta.dirname,
      guideFolder: import.meta.dirname,
    },
  };
}
