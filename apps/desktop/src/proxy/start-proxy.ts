/**
 * The interception proxy: listens on loopback, tunnels other traffic and opens what the policy names. Runs as a process
 * of its own (proxy-process.ts), started by the supervisor; in tests also in process. Never changes a setting of the
 * computer and never writes a body to disk.
 */
import { randomBytes } from 'node:crypto';
import { createSecureContext, getCACertificates } from 'node:tls';
import type { DigestOf } from '@csg/shared/streaming';
import { createAnswerMemory } from '../cloud-client/create-answer-memory.ts';
import { createScopeOf, createTextMemory } from '../cloud-client/create-text-memory.ts';
import { createAnswerDigest, createMaskDigest } from '../cloud-client/mask-digest.ts';
import { oncePerMinute } from '../exchange/once-per-minute.ts';
import type { ExchangeParts, ExchangeRules } from '../exchange/run-exchange.ts';
import { compilePolicy } from '../inspect/compile-policy.ts';
import type { DecisionEvent } from '../inspect/decision-event.ts';
import type { RequestGuard } from '../inspect/device-policy.ts';
import { hostMatcher } from '../inspect/match-hosts.ts';
import type { KeptAnswer } from '../inspect/text-memory.ts';
import { createDialer } from '../upstream/dial.ts';
import { createOpenUpstream } from '../upstream/open-http2.ts';
import { createUpstreamPac } from '../upstream/upstream-pac.ts';
import { createUpstreamPool } from '../upstream/upstream-pool.ts';
import { createConnectClient } from './connect-client.ts';
import type { FindProcess } from './find-process.ts';
import { createHandOn } from './hand-on.ts';
import { createHttpFront } from './http-front.ts';
import { createLeafContexts } from './leaf-contexts.ts';
import type { LeafCertificate, ProxyConfig, ProxyHealth } from './messages.ts';
import { serveClients } from './serve-clients.ts';

export interface ProxyHooks {
  readonly needLeaf: (host: string) => void;
  readonly emit: (event: DecisionEvent) => void;
  /** Called with the keyed digests of an answer that passed. */
  readonly answered: (digests: readonly string[]) => void;
  /** Called once per configuration that names a service. */
  readonly connectGuard: (service: NonNullable<ProxyConfig['service']>) => RequestGuard;
  readonly findProcess: FindProcess;
  readonly now: () => number;
  readonly newEventId: () => string;
}

export interface RunningProxy {
  readonly port: number;
  /** Takes effect with the next request; settings fixed at start (port, upstream proxy) are ignored. */
  configure(config: ProxyConfig): void;
  leaf(host: string, leaf: LeafCertificate | null): void;
  /** Takes what earlier processes have passed to `answered`. */
  answered(kept: readonly KeptAnswer[]): void;
  health(): ProxyHealth;
  /** Open requests get `graceMs` to finish. */
  close(graceMs: number): Promise<void>;
}

/** For connections to providers. */
const CONNECT_TIMEOUT_MS = 15_000;
const HANDSHAKE_TIMEOUT_MS = 15_000;

/** Resolves once it listens. Rejects if it cannot listen, or if the configuration is invalid. */
export async function startProxy(first: ProxyConfig, hooks: ProxyHooks): Promise<RunningProxy> {
  const { now, newEventId } = hooks;
  const settings = createSettings(first, hooks);
  const { config, rules } = settings;
  let ownPort = first.port;
  const { dialer, pool } = openUpstream(first, now, () => ownPort);
  const record = oncePerMinute(hooks.emit, now);
  const counters = { requests: 0, blocked: 0, redacted: 0, noResponses: 0 };
  const leaves = createLeafContexts(hooks.needLeaf, now);
  const answers = createAnswerMemory(now, (text) => rules().answerDigest(text), hooks.answered);
  const exchange: ExchangeParts = {
    tools: { memory: createTextMemory(now, answers), scopeOf: createScopeOf(), now, newEventId },
    openUpstream: createOpenUpstream(pool),
    record,
    counters,
  };
  const connectClient = createConnectClient({
    policy: () => rules().compiled,
    probeHost: () => config().probeHost,
    ownPort: () => ownPort,
    dialer,
    pool,
    leaves,
    accept: (target, socket, version) => front.accept(target, socket, version),
    findProcess: hooks.findProcess,
    record,
    now,
    newEventId,
  });
  const front = createHttpFront(
    serveClients({
      ...{ config, rules, ownPort: () => ownPort, exchange, pool, connectClient },
      handOn: createHandOn(pool.plainAgent),
    }),
  );
  ownPort = await front.listen(first.port);

  return {
    port: ownPort,
    configure: settings.change,
    leaf: leaves.arrived,
    answered: answers.restore,
    health: () => ({ openConnections: front.openConnections(), ...counters }),
    async close(graceMs) {
      await front.close(graceMs);
      pool.close();
    },
  };
}

/** The current configuration and the objects derived from it. */
function createSettings(first: ProxyConfig, { connectGuard }: Pick<ProxyHooks, 'connectGuard'>) {
  let config = first;
  let guard = first.service === null ? null : connectGuard(first.service);
  const ownSecret = randomBytes(32);
  let rules = rulesOf(first, guard, ownSecret);
  return {
    config: () => config,
    rules: () => rules,
    /** Throws if the configuration is invalid; the previous one then stays. */
    change(next: ProxyConfig): void {
      const { service } = config;
      const isSameService = next.service?.url === service?.url && next.service?.apiKey === service?.apiKey;
      const nextGuard = isSameService || next.service === null ? guard : connectGuard(next.service);
      rules = rulesOf(next, nextGuard, ownSecret);
      guard = nextGuard;
      config = next;
    },
  };
}

function rulesOf(
  { policy, service, guardDeadlineMs }: ProxyConfig,
  guard: RequestGuard | null,
  ownSecret: Uint8Array,
): ExchangeRules & { readonly answerDigest: DigestOf } {
  const access =
    service === null || guard === null ? null : { service: service.url, guard, deadlineMs: guardDeadlineMs };
  const secret = service?.apiKey ?? ownSecret;
  const digests = { maskDigest: createMaskDigest(secret), answerDigest: createAnswerDigest(secret) };
  return { compiled: compilePolicy(policy), access, ...digests };
}

function openUpstream(config: ProxyConfig, now: () => number, ownPort: () => number) {
  const { upstreamPac, upstreamProxyBypass } = config;
  const upstreamProxy = config.upstreamProxy === null ? null : new URL(config.upstreamProxy);
  const secureContext = createSecureContext({
    ca: [...getCACertificates('default'), ...getCACertificates('system'), ...config.upstreamCa],
  });
  const dialer = createDialer({
    upstreamProxy,
    upstreamPac:
      upstreamPac === null
        ? null
        : createUpstreamPac({ address: upstreamPac, now, credentials: upstreamProxy }),
    isDirect: hostMatcher(upstreamProxyBypass),
    loopToken: config.loopToken,
    secureContext,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    ownPort,
  });
  const pool = createUpstreamPool({
    dialer,
    secureContext,
    upstreamProxy,
    upstreamProxyBypass,
    handshakeTimeoutMs: HANDSHAKE_TIMEOUT_MS,
    now,
  });
  return { dialer, pool };
}
