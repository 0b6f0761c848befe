import type { DeviceConfig } from '@csg/shared/contract';
import type { DecisionEvent } from '../../inspect/decision-event.ts';
import type { DevicePolicy } from '../../inspect/device-policy.ts';
import { PAC_MARK } from '../../network/guard-network.ts';
import { type FallbackProxy, makePac, pacDataUrl } from '../../network/make-pac.ts';
import type { FromProxy, ProxyConfig, ToProxy } from '../../proxy/messages.ts';
import { probeProxy } from '../../proxy/probe-proxy.ts';
import { maintainWatchdog } from '../../supervisor/maintain-watchdog.ts';
import { createSupervisor, type ProxyHandle, type Supervisor } from '../../supervisor/run-supervisor.ts';
import { spawnProxy } from '../../supervisor/spawn-proxy.ts';
import { createLeafIssuer, type LeafIssuer } from '../../trust/leaf-issuer.ts';
import { coversHost, type RootCertificate } from '../../trust/root-certificate.ts';
import { ensureRoot, isGoodFor, PROBE_HOST, replaceCertificate } from '../host/device-root.ts';
import { findFallbackProxy } from '../host/find-fallback-proxy.ts';
import { systemProxyName } from '../host/host-system.ts';
import type { AgentParts } from '../host/open-agent.ts';
import { proveTrust } from '../host/prove-trust.ts';
import { programFile } from '../settings/agent-package.ts';
import { childEnvironment } from './child-environment.ts';
import { policyOfConfig } from './policy-of-config.ts';

export interface ProtectionDeps {
  readonly parts: AgentParts;
  readonly service: NonNullable<ProxyConfig['service']>;
  /** What our own proxy answers a probe with. */
  readonly probeToken: string;
  readonly onEvent: (event: DecisionEvent) => void;
  readonly onChange: () => void;
}

export interface ProtectionStatus {
  /** `quiet` only once the proxy was seen to work. */
  readonly state: 'quiet' | 'retrying' | 'gave_up';
  readonly port: number | null;
  readonly restarts: number;
  readonly systemProxy: 'on' | 'off' | 'not_set';
  /** Apps were left alone, because this computer does not trust the certificate. */
  readonly needsTrust: boolean;
  readonly problem: string | null;
}

export interface Protection {
  /** By this configuration from now on; starts the proxy the first time. */
  work(config: DeviceConfig): Promise<void>;
  tryAgain(): void;
  status(): ProtectionStatus;
  stop(): Promise<void>;
}

type Proxy = ProxyHandle & { send(message: ToProxy): void };

const GUARD_DEADLINE_MS = 3_000;
const GRACE_MS = 1_000;

/** Proxy, supervisor, certificates and the machine's proxy setting, joined. */
export function createProtection({ parts, ...deps }: ProtectionDeps): Protection {
  const { settings } = parts;
  let supervisor: Supervisor | null = null;
  let proxy: Proxy | null = null;
  let config: ProxyConfig | null = null;
  let root: RootCertificate | null = null;
  let issuer: LeafIssuer | null = null;
  let systemProxy: ProtectionStatus['systemProxy'] = settings.changesSystemProxy ? 'not_set' : 'off';
  let needsTrust = false;
  let problem: string | null = null;
  let proxyError: string | null = null;
  /** The port of the first start: apps that were told of it go on finding it. */
  let port = settings.proxyPort;
  let isStopped = false;
  /** The proxy works and everything that leads to it is settled: only then anybody is told of it. */
  let isSettled = false;
  const watchdog = maintainWatchdog({
    scriptPath: programFile('supervisor/restore-watchdog'),
    work: [systemProxyName(settings.platform), parts.files.restore],
    env: parts.env,
    isNeeded: () => systemProxy === 'on',
  });
  /** Configurations are taken up one after another. */
  let working: Promise<void> = Promise.resolve();

  async function applyConfig(next: DeviceConfig): Promise<void> {
    if (isStopped) return;
    const policy = policyOfConfig(next, { server: deps.service.url, extraHosts: settings.extraHosts });
    const before = root;
    // Asking the keychain takes its time, and what an admin decided has to hold at once.
    if (root === null || !isGoodFor(root.pem, openedHosts(policy), Date.now())) {
      await takeRoot(openedHosts(policy));
      if (root === null) return deps.onChange();
    }
    config = {
      port,
      policy,
      service: deps.service,
      guardDeadlineMs: GUARD_DEADLINE_MS,
      upstreamProxy: settings.upstreamProxy,
      companyPac: settings.upstreamPac,
      upstreamProxyBypass: ['localhost', '127.0.0.1', '::1'],
      upstreamCa: settings.upstreamCa,
      probeHost: PROBE_HOST,
      pac: config?.pac ?? null,
      loopToken: deps.probeToken,
    };
    if (supervisor === null) {
      supervisor = createSupervisor(supervisorDeps());
      supervisor.start();
    } else if (before !== root) {
      // Leaves of another root are in its memory.
      await supervisor.stop();
      supervisor.start();
    } else {
      proxy?.send({ type: 'configure', config });
      const { protects, port: working } = supervisor.status();
      if (protects) await serialize(() => enableProxySetting(working));
    }
  }

  async function takeRoot(hosts: readonly string[]): Promise<void> {
    const outcome = await ensureRoot(parts.files, parts.vault, hosts, Date.now());
    // The root in use goes on.
    if (outcome.kind !== 'ok') problem = outcome.reason;
    else {
      if (outcome.isNew && root !== null)
        problem = await replaceCertificate(parts.files, parts.stores, root.pem);
      root = outcome.root;
      issuer = await createLeafIssuer(root);
    }
  }

  const supervisorDeps = () => ({
    now: () => performance.now(),
    start: (callbacks: Parameters<Parameters<typeof createSupervisor>[0]['start']>[0]): ProxyHandle => {
      if (config === null) throw new Error('There is no configuration yet.');
      proxyError = null;
      proxy = spawnProxy<ToProxy, FromProxy>(
        {
          nodePath: process.execPath,
          scriptPath: programFile('proxy/proxy-process'),
          env: childEnvironment(parts.env, parts.files.compileCache),
          first: { type: 'configure', config: { ...config, port } },
          shutdown: { type: 'shutdown', graceMs: GRACE_MS },
          graceMs: 3 * GRACE_MS,
          onMessage,
        },
        {
          ready: (at) => {
            port = at;
            callbacks.ready(at);
          },
          exited: (reason) => callbacks.exited(proxyError ?? reason),
        },
      );
      return proxy;
    },
    probe: (at: number, timeoutMs: number) =>
      probeProxy({
        port: at,
        timeoutMs,
        probeHost: PROBE_HOST,
        rootPem: root?.pem ?? '',
        token: deps.probeToken,
      }),
    protect: (at: number) => serialize(() => enableProxySetting(at)),
    release: () => serialize(restoreProxySetting),
    report: () => deps.onChange(),
  });

  function onMessage(message: FromProxy, send: (message: ToProxy) => void): void {
    if (message.type === 'event') deps.onEvent(message.event);
    if (message.type === 'need-leaf') {
      giveLeaf(message.host, send).catch(() => send({ type: 'leaf', host: message.host, leaf: null }));
    }
    if (message.type === 'fault') {
      proxyError =
        message.code === 'port_taken'
          ? `Port ${port} is taken by another program: choose one with AGENT_PROXY_PORT, or 0 for any.`
          : message.message;
      // What was free at the first start and is taken now was any port anyway.
      if (message.code === 'port_taken') port = settings.proxyPort;
    }
  }

  async function giveLeaf(host: string, send: (message: ToProxy) => void): Promise<void> {
    const isOurs = root !== null && issuer !== null && coversHost(root.pem, host);
    const leaf = isOurs ? await issuer!.leafFor(host, Date.now()) : null;
    send({ type: 'leaf', host, leaf });
  }

  /** Changes to the machine happen one after another, whoever asks for them. */
  let changing: Promise<void> = Promise.resolve();
  function serialize(change: () => Promise<void>): Promise<void> {
    changing = changing.then(change);
    return changing;
  }

  /** Never rejects. Only where programs of this machine trust the proxy: otherwise it would break what they do. */
  async function enableProxySetting(at: number): Promise<void> {
    // It may have fallen since this was asked for.
    if (config === null || isStopped || supervisor?.status().protects !== true) return;
    const { hosts, bypassHosts, failClosed } = config.policy;
    /** The address of the PAC file, which the proxy knows from now on. */
    const serve = (otherwise: FallbackProxy): string => {
      const pac = makePac({ port: at, hosts, bypassHosts, failClosed, otherwise });
      if (config !== null) {
        config = { ...config, pac };
        proxy?.send({ type: 'configure', config });
      }
      return failClosed ? pacDataUrl(pac) : `http://127.0.0.1:${at}/proxy.pac#${PAC_MARK}`;
    };
    if (settings.changesSystemProxy) {
      const untrusted = await trustProblem(at);
      needsTrust = untrusted !== null;
      const fallback =
        untrusted === null ? await findFallbackProxy(settings, { ...settings, run: parts.run }) : null;
      problem = untrusted ?? (fallback?.kind === 'unknown' ? fallback.reason : null);
      if (fallback?.kind === 'found') {
        const url = serve(fallback.otherwise);
        watchdog.begin();
        const outcome = await parts.network.protect(url);
        problem = outcome.kind === 'failed' ? outcome.reason : null;
      } else if (systemProxy === 'on') {
        // They were led here while it was in order.
        await parts.network.release();
      }
      systemProxy = problem === null ? 'on' : 'not_set';
    } else serve('DIRECT');
    isSettled = true;
    deps.onChange();
  }

  async function trustProblem(at: number): Promise<string | null> {
    const found = await proveTrust(parts.run, { port: at, token: deps.probeToken });
    if (found === null) return null;
    return 'This computer does not trust the certificate of the agent, so its apps were left alone: run "agent ca install".';
  }

  async function restoreProxySetting(): Promise<void> {
    isSettled = false;
    if (!settings.changesSystemProxy) return;
    const outcome = await parts.network.release();
    systemProxy = 'not_set';
    if (outcome.kind === 'failed') problem = outcome.reason;
  }

  return {
    work(next) {
      working = working
        .then(() => applyConfig(next))
        .catch((error: Error) => {
          problem = `The configuration cannot be used: ${error.message}`;
          deps.onChange();
        });
      return working;
    },
    tryAgain() {
      supervisor?.tryAgain();
      const now = supervisor?.status();
      // Also what the machine is led by: somebody may have trusted the certificate since.
      if (now?.protects === true) void serialize(() => enableProxySetting(now.port));
    },
    status() {
      const now = supervisor?.status();
      const isSeen = now?.protects === true && isSettled;
      return {
        state: now === undefined || (now.state === 'quiet' && !isSeen) ? 'retrying' : now.state,
        port: isSeen ? now.port : null,
        restarts: now?.restarts ?? 0,
        systemProxy,
        needsTrust,
        problem: supervisorProblem(now) ?? problem,
      };
    },
    async stop() {
      isStopped = true;
      await working;
      await supervisor?.stop();
      systemProxy = settings.changesSystemProxy ? 'not_set' : 'off';
      watchdog.done();
    },
  };
}

/** Also tools that are not allowed are opened: a person has to read why. Those that are named by no host cannot be. */
function openedHosts({ hosts, blockedTools }: DevicePolicy): readonly string[] {
  return [...hosts, ...blockedTools.filter((tool) => /^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(tool))];
}

function supervisorProblem(now: ReturnType<Supervisor['status']> | undefined): string | null {
  if (now === undefined || now.state === 'quiet') return null;
  const why = now.reason ?? 'The proxy ended.';
  return now.state === 'gave_up'
    ? `Nothing is protected, because the proxy does not work: ${why}`
    : `The proxy is being started again: ${why}`;
}
