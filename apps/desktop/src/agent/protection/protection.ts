import type { DeviceConfig } from '@csg/shared/contract';
import type { DecisionEvent } from '../../inspect/decision-event.ts';
import type { DevicePolicy } from '../../inspect/device-policy.ts';
import { hostMatcher } from '../../inspect/match-hosts.ts';
import type { ProxyConfig } from '../../proxy/messages.ts';
import { probeProxy } from '../../proxy/probe-proxy.ts';
import { createSupervisor, type Supervisor, type SupervisorDeps } from '../../supervisor/run-supervisor.ts';
import { PROBE_HOST } from '../host/device-root.ts';
import { isRootTrusted } from '../host/is-root-trusted.ts';
import type { AgentParts } from '../host/open-agent.ts';
import type { AgentSettings } from '../settings/read-settings.ts';
import { createDeviceCertificates, type DeviceCertificates, isRootUsableFor } from './device-certificates.ts';
import { createOutagePage } from './outage-page.ts';
import { policyOfConfig } from './policy-of-config.ts';
import {
  type AnswerJournal,
  createProxyProgram,
  type ProxyProgram,
  type ProxyRules,
} from './proxy-program.ts';
import { createSystemSetting, type SystemSetting } from './system-setting.ts';

export interface ProtectionDeps {
  readonly parts: AgentParts;
  readonly service: NonNullable<ProxyConfig['service']>;
  /** Our own proxy returns it to a probe. */
  readonly probeToken: string;
  readonly journal: AnswerJournal;
  readonly onEvent: (event: DecisionEvent) => void;
  readonly onChange: () => void;
}

export interface ProtectionStatus {
  /** `quiet` only once the proxy was seen to work. */
  readonly state: 'quiet' | 'retrying' | 'gave_up';
  readonly port: number | null;
  readonly restarts: number;
  readonly systemProxy: 'on' | 'off' | 'not_set';
  /** True if apps were left alone because this computer does not trust the certificate. */
  readonly needsTrust: boolean;
  /** Hosts of the policy that the certificate does not cover, so they are not read until an administrator acts. */
  readonly uncovered: readonly string[];
  readonly problem: string | null;
}

export interface Protection {
  /** Applies a configuration; the first one starts the proxy. */
  work(config: DeviceConfig): Promise<void>;
  tryAgain(): void;
  /** Repairs the proxy setting if it was changed; once a minute also tests whether the computer trusts the proxy. */
  check(): Promise<void>;
  status(): ProtectionStatus;
  stop(): Promise<void>;
  /** Ends protection when the device leaves its organization: nothing of its policy stays. */
  end(): Promise<void>;
}

const GUARD_DEADLINE_MS = 3_000;
/** Once a minute. */
const PROBES_PER_HANDSHAKE = 30;
/** A trust check starts a process of its own. */
const CHECKS_PER_TRUST = 6;
/** A computer must not stay unprotected until a user notices: after five minutes the proxy is started again. */
const CHECKS_PER_RETRY = 30;

/** Combines proxy, supervisor, certificates and the proxy setting of this computer. */
export function createProtection({
  parts,
  service,
  probeToken,
  journal,
  onEvent,
  onChange,
}: ProtectionDeps): Protection {
  const { settings } = parts;
  const certificates = certificatesOf(parts);
  const { leafFor } = certificates;
  const closedPage = createOutagePage(leafFor);
  const program = createProxyProgram({ parts, leafFor, onEvent, journal, beforeStart: closedPage.close });
  const setting = createSystemSetting({ parts, probeToken, servePac: program.servePac });
  const serialize = createSerializer();
  const configure = createSerializer();
  let supervisor: Supervisor | null = null;
  let problem: string | null = null;
  let rootProblem: string | null = null;
  let uncovered: readonly string[] = [];
  let last: DeviceConfig | null = null;
  let isStopped = false;
  const isTrustDue = everyNth(CHECKS_PER_TRUST);
  const isRetryDue = everyNth(CHECKS_PER_RETRY);
  /** True once the proxy works and everything that points to it is set: only then is it reported. */
  let isSettled = false;

  async function applyConfig(config: DeviceConfig): Promise<void> {
    if (isStopped) return;
    last = config;
    const policy = policyOfConfig(config, { server: service.url, extraHosts: settings.extraHosts });
    const [hosts, former] = [openedHosts(policy), certificates.rootPem()];
    rootProblem = isRootUsableFor(former, hosts) ? null : await certificates.ensureFor(hosts);
    const root = certificates.rootPem();
    if (root === null) return onChange();
    uncovered = certificates.uncovered(hosts).filter(isInspectedBy(policy));
    program.configure(rulesOf(settings, policy, service, probeToken));
    if (supervisor !== null && former === root) return reconfigure(supervisor);
    // The running proxy caches leaf certificates of the former root.
    await supervisor?.stop();
    supervisor ??= createSupervisor({
      ...probedStart(program, () => certificates.rootPem() ?? '', probeToken),
      protect: () => serialize(enableProxySetting),
      release: () => serialize(restoreProxySetting),
      report: onChange,
    });
    supervisor.start();
  }

  async function reconfigure(running: Supervisor): Promise<void> {
    program.apply();
    // An administrator who changed a setting expects a new attempt.
    if (running.status().state === 'gave_up') running.tryAgain();
    if (running.status().protects) await serialize(enableProxySetting);
  }

  /** Never rejects. Directs apps to the proxy, unless it has failed since this was requested. */
  async function enableProxySetting(): Promise<void> {
    const now = supervisor?.status();
    const policy = program.rules()?.policy;
    if (policy === undefined || isStopped || now?.protects !== true) return;
    const reason = await setting.apply({ ...policy, failClosed: isClosing(policy), port: now.port });
    if (settings.changesSystemProxy) problem = reason;
    isSettled = true;
    onChange();
  }

  async function restoreProxySetting(): Promise<void> {
    isSettled = false;
    const show = closedPage.prepare();
    problem = (await setting.releaseUnlessClosed()) ?? problem;
    if (supervisor !== null && !isStopped && setting.isClosed()) await show(supervisor.status());
  }

  const work = (config: DeviceConfig) => configure(() => applyConfig(config).catch(refuse));
  const refuse = (error: Error): void => {
    problem = `The configuration cannot be used: ${error.message}`;
    onChange();
  };

  async function stop(): Promise<void> {
    isStopped = true;
    await configure(async () => {});
    await supervisor?.stop();
    closedPage.close();
    setting.done();
  }

  return {
    work,
    tryAgain() {
      supervisor?.tryAgain();
      // The certificate may have been trusted since.
      if (last !== null) void work(last);
    },
    async check() {
      if (supervisor?.status().state === 'gave_up' && isRetryDue()) supervisor.tryAgain();
      if (!settings.changesSystemProxy || supervisor?.status().protects !== true) return;
      const isDue = isTrustDue();
      if (isDue && uncovered.length > 0 && last !== null) await work(last);
      if (isDue || (setting.state() === 'on' && !(await parts.network.isProtected())))
        await serialize(enableProxySetting);
    },
    status: () =>
      statusOf(supervisor?.status(), isSettled, setting, { problem: problem ?? rootProblem, uncovered }),
    stop,
    async end() {
      await stop();
      problem = (await setting.release()) ?? problem;
    },
  };
}

/**
 * Starts a proxy that is first probed as an app would reach it. Later probes are messages over its channel, and only
 * some are full connections and handshakes: one every two seconds would keep a laptop awake.
 */
function probedStart(
  program: Pick<ProxyProgram, 'start' | 'ping'>,
  rootPem: () => string,
  token: string,
): Pick<SupervisorDeps, 'now' | 'start' | 'probe'> {
  let probes = 0;
  return {
    now: () => performance.now(),
    start(callbacks) {
      probes = 0;
      return program.start(callbacks);
    },
    async probe(port, timeoutMs) {
      const isWhole = probes++ % PROBES_PER_HANDSHAKE === 0;
      // A slower probe indicates a hang; the rest of it is cleaned up later.
      const lastMs = 2 * timeoutMs;
      const whole = { port, timeoutMs: lastMs, probeHost: PROBE_HOST, rootPem: rootPem(), token };
      if (isWhole) return probeProxy(whole);
      await program.ping();
      return null;
    },
  };
}

function statusOf(
  now: ReturnType<Supervisor['status']> | undefined,
  isSettled: boolean,
  setting: SystemSetting,
  { problem, uncovered }: Pick<ProtectionStatus, 'problem' | 'uncovered'>,
): ProtectionStatus {
  const isSeen = now?.protects === true && isSettled;
  return {
    state: now === undefined || (now.state === 'quiet' && !isSeen) ? 'retrying' : now.state,
    port: isSeen ? now.port : null,
    restarts: now?.restarts ?? 0,
    systemProxy: setting.state(),
    needsTrust: setting.needsTrust(),
    uncovered,
    problem: supervisorProblem(now, setting.isClosed()) ?? problem,
  };
}

function certificatesOf(parts: AgentParts): DeviceCertificates {
  const isAskedFor = parts.settings.changesSystemProxy;
  const isTrusted = async (pem: string) => !isAskedFor || (await isRootTrusted(parts.run, pem));
  return createDeviceCertificates({ ...parts, isTrusted });
}

/** Returns true on every `n`th call. */
function everyNth(n: number): () => boolean {
  let calls = 0;
  return () => ++calls % n === 0;
}

/** Runs the given work one piece at a time, in the order of the calls. */
function createSerializer(): (work: () => Promise<void>) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (work) => {
    last = last.then(work);
    return last;
  };
}

function rulesOf(
  settings: AgentSettings,
  policy: DevicePolicy,
  service: ProtectionDeps['service'],
  loopToken: string,
): ProxyRules {
  return {
    policy,
    service,
    guardDeadlineMs: GUARD_DEADLINE_MS,
    upstreamProxy: settings.upstreamProxy,
    upstreamPac: settings.upstreamPac,
    upstreamProxyBypass: ['localhost', '127.0.0.1', '::1'],
    upstreamCa: settings.upstreamCa,
    probeHost: PROBE_HOST,
    loopToken,
  };
}

/** While the device only monitors, nothing is blocked. */
function isClosing({ failClosed, mode }: DevicePolicy): boolean {
  return failClosed && mode === 'enforce';
}

function isInspectedBy({ bypassHosts }: DevicePolicy): (host: string) => boolean {
  const isBypassed = hostMatcher(bypassHosts);
  return (host) => !isBypassed(host);
}

/**
 * Hosts of blocked tools are opened too: their users have to see the reason. Tools that are not named by a host cannot
 * be opened.
 */
function openedHosts({ hosts, blockedTools }: DevicePolicy): readonly string[] {
  return [...hosts, ...blockedTools.filter((tool) => /^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(tool))];
}

function supervisorProblem(
  now: ReturnType<Supervisor['status']> | undefined,
  isClosed: boolean,
): string | null {
  if (now === undefined || now.state === 'quiet') return null;
  const why = now.reason ?? 'The proxy ended.';
  const what = isClosed ? 'AI hosts cannot be reached' : 'Nothing is protected';
  return now.state === 'gave_up'
    ? `${what}, because the proxy is not working: ${why}`
    : `The proxy is being restarted: ${why}`;
}
