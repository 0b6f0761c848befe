import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Heartbeat } from '@csg/shared/contract';
import type { AgentStatus, InspectionScope } from './control/control-messages.ts';
import { openControlServer } from './control/control-server.ts';
import { type AgentParts, cannotWrite } from './host/open-agent.ts';
import { createProtection, type Protection } from './protection/protection.ts';
import { createDecisionLog } from './service/decision-log.ts';
import { updateDemand } from './service/managed-update.ts';
import { serviceRequests } from './service/service-requests.ts';
import { type AgentTimes, createServiceSession, type ServiceSession } from './service/service-session.ts';
import { AGENT_VERSION, platformName } from './settings/agent-package.ts';
import { AgentError } from './settings/read-settings.ts';
import type { Enrollment } from './settings/state-files.ts';
import { idleStatus } from './status/read-status.ts';

export const AGENT_TIMES: AgentTimes = {
  heartbeatMs: 60_000,
  retryMs: 5_000,
  refreshMs: 300_000,
  deadlineMs: 10_000,
};

export interface RunningAgent {
  status(): AgentStatus;
  /** Resolves when it has ended, by `stop` or because somebody asked for it. */
  readonly ended: Promise<void>;
  /** The machine's settings are back and no process is left when it resolves. */
  stop(): Promise<void>;
}

/** Starts what protects this computer. Throws AgentError where that makes no sense: not enrolled, a disk that is full. */
export async function runAgent(
  parts: AgentParts,
  print: (line: string) => void,
  times: AgentTimes = AGENT_TIMES,
): Promise<RunningAgent> {
  const enrollment = requireEnrollment(parts);
  const startedMs = performance.now();
  const ended = Promise.withResolvers<void>();
  const stopping = new AbortController();
  const journal = parts.openJournal();
  const log = createDecisionLog(journal);
  let protection: Protection | null = null;
  let session: ServiceSession | null = null;
  let ownProblem: string | null = null;
  let lastPrinted: string | null = null;
  if (journal.setAside !== null) {
    print(`The journal was damaged; it was put aside as ${journal.setAside}.`);
  }

  const control = await openControlServer({
    status: () => status(),
    sight: () => sight(),
    ...serviceRequests(() => session?.client ?? null),
    recent: log.recent,
    'try-again': () => {
      protection?.tryAgain();
      return null;
    },
    stop: () => {
      control.broadcast({ event: 'stopping' });
      // The answer goes out first.
      setImmediate(() => void stop());
      return null;
    },
  });
  try {
    parts.files.write(parts.files.control, JSON.stringify(control.address));
  } catch (error) {
    await control.close();
    journal.close();
    throw cannotWrite(parts.files, error);
  }

  function sight(): InspectionScope | null {
    const config = session?.status().config ?? null;
    if (config === null) return null;
    const { mode, fail_closed, bypass_hosts, blocked_tools } = config;
    const hosts = [...new Set([...config.hosts, ...parts.settings.extraHosts])];
    return { mode, fail_closed, hosts, bypass_hosts, blocked_tools };
  }

  function status(): AgentStatus {
    const now = protection?.status();
    const known = session?.status();
    const demand = updateDemand(known?.managed ?? null, AGENT_VERSION);
    return {
      ...idleStatus(parts),
      running: true,
      supervisor_state: now?.state ?? 'retrying',
      proxy_port: now?.port ?? null,
      proxy_restarts: now?.restarts ?? 0,
      system_proxy: now?.systemProxy ?? (parts.settings.changesSystemProxy ? 'not_set' : 'off'),
      needs_trust: now?.needsTrust ?? false,
      revoked: known?.isRevoked ?? false,
      problem: problemNow(),
      update: demand === null ? null : { required: demand.isRequired, sentence: demand.sentence },
      fleet: known?.managed?.fleet ?? null,
      pinned_channel: known?.managed?.pinned_channel ?? null,
      mode: known?.config?.mode ?? null,
      policy_version: known?.config?.policy_version ?? null,
      config_issued_at: known?.config?.issued_at ?? null,
      service_reachable: known?.isReachable ?? null,
      channel_open: known?.isChannelOpen ?? false,
      events_waiting: journal.waiting(),
      events_dropped: journal.dropped(),
      pid: process.pid,
      uptime_s: Math.round((performance.now() - startedMs) / 1_000),
    };
  }

  function problemNow(): string | null {
    const known = session?.status();
    if (known?.isRevoked === true)
      return 'The service has revoked this device: it is not protected until it is enrolled again.';
    return ownProblem ?? protection?.status().problem ?? log.problem() ?? known?.problem ?? null;
  }

  function changed(): void {
    if (stopping.signal.aborted) return;
    const now = status();
    control.broadcast({ event: 'status', status: now });
    const line =
      now.problem ??
      (now.proxy_port === null
        ? null
        : `This computer is protected: the proxy is 127.0.0.1:${now.proxy_port}.`);
    if (line !== null && line !== lastPrinted) print(line);
    lastPrinted = line;
  }

  function heartbeat(): Heartbeat {
    const { supervisor_state, system_proxy, proxy_restarts, uptime_s, policy_version } = status();
    // A proxy that works protects nobody whose apps are not led to it: that is tried again, and told.
    const isQuiet = supervisor_state === 'quiet' && system_proxy !== 'not_set';
    return {
      agent_version: AGENT_VERSION,
      supervisor_state: isQuiet || supervisor_state === 'gave_up' ? supervisor_state : 'retrying',
      proxy_restarts,
      uptime_s,
      platform: platformName(parts.settings.platform),
      queue_length: journal.waiting(),
      ...(policy_version !== null && { policy_version }),
    };
  }

  async function begin(): Promise<void> {
    // What an earlier run could not put back.
    if (parts.settings.changesSystemProxy) await parts.network.release();
    const apiKey = await waitForCredential();
    if (apiKey === null) return;
    const proxy = await parts.serviceProxy(enrollment.server);
    const guarding = createProtection({
      parts,
      service: { url: enrollment.server, apiKey, proxy },
      probeToken: randomBytes(16).toString('hex'),
      onEvent(event) {
        const before = log.problem();
        control.broadcast({ event: 'decision', decision: log.record(event) });
        if (log.problem() !== before) changed();
        session?.flush();
      },
      onChange() {
        changed();
        session?.reportNow();
      },
    });
    protection = guarding;
    session = createServiceSession({
      enrollment,
      apiKey,
      proxy,
      journal,
      times,
      heartbeat,
      onConfig: guarding.work,
      onRevoked: guarding.stop,
      onDecided: (request) => control.broadcast({ event: 'request-decided', request }),
      onChange: changed,
    });
    await session.begin();
    changed();
  }

  /** Null: the agent stops. A locked keychain is waited for. */
  async function waitForCredential(): Promise<string | null> {
    const { signal } = stopping;
    while (!signal.aborted) {
      const read = await parts.vault.read('device-credential');
      ownProblem =
        read.kind === 'ok'
          ? null
          : read.kind === 'missing'
            ? 'The credential of this device is not in the keychain: unenroll this computer and enroll it again.'
            : read.reason;
      if (read.kind === 'ok') return read.secret;
      changed();
      await pause(times.retryMs, null, { signal }).catch(() => {});
    }
    return null;
  }

  let over: Promise<void> | null = null;
  function stop(): Promise<void> {
    over ??= end();
    return over;
  }

  async function end(): Promise<void> {
    stopping.abort();
    await protection?.stop();
    await session?.close();
    parts.files.forget(parts.files.control);
    await control.close();
    journal.close();
    ended.resolve();
  }

  begin().catch((error: Error) => {
    ownProblem = `The agent has a fault and protects nothing: ${error.message}`;
    changed();
  });
  return { status, ended: ended.promise, stop };
}

function requireEnrollment(parts: AgentParts): Enrollment {
  const known = parts.files.enrollment();
  if (known.kind === 'ok') return known.enrollment;
  throw new AgentError(
    known.kind === 'damaged'
      ? known.reason
      : 'This computer is not enrolled: run "agent enroll --server URL --token-stdin" first.',
  );
}
