import { randomBytes } from 'node:crypto';
import type { Heartbeat, ServiceMessage } from '@csg/shared/contract';
import { type LiveChannel, openLiveChannel } from '../cloud-client/live-channel.ts';
import { createServiceClient, type ServiceClient } from '../cloud-client/service-client.ts';
import { reasonOf } from '../inspect/block-reply.ts';
import type { DecisionEvent } from '../inspect/decision-event.ts';
import type { AgentParts } from './agent-parts.ts';
import { AGENT_VERSION, platformName } from './agent-version.ts';
import type { AgentSight, AgentStatus, RecentDecision } from './control-messages.ts';
import { openControlServer } from './control-server.ts';
import { createConfigKeeper } from './device-config-keeper.ts';
import { deviceEventOf } from './device-event.ts';
import { createEventUpload } from './event-upload.ts';
import { createProtection, type Protection } from './protection.ts';
import { AgentFault } from './read-settings.ts';
import { idleStatus } from './read-status.ts';
import { serviceRequests } from './service-requests.ts';
import type { Enrollment } from './state-files.ts';

export interface AgentTimes {
  readonly heartbeatMs: number;
  /** After a try that failed: keychain, first configuration, events. */
  readonly retryMs: number;
  /** Where the live channel is lost, changes come this often. */
  readonly refreshMs: number;
  readonly deadlineMs: number;
}

export const AGENT_TIMES: AgentTimes = {
  heartbeatMs: 60_000,
  retryMs: 5_000,
  refreshMs: 300_000,
  deadlineMs: 10_000,
};

const MAX_RECENT = 100;
/** What the service answers when it does not know a credential (any more). */
const GONE_CODES = ['invalid_api_key', 'disabled_api_key', 'expired_api_key', 'unauthorized'];

export interface RunningAgent {
  status(): AgentStatus;
  /** Resolves when it has ended, by `stop` or because somebody asked for it. */
  readonly ended: Promise<void>;
  /** The machine's settings are back and no process is left when it resolves. */
  stop(): Promise<void>;
}

/** Starts what protects this computer. Throws AgentFault where that makes no sense: not enrolled, running already. */
export async function runAgent(
  parts: AgentParts,
  say: (line: string) => void,
  times: AgentTimes = AGENT_TIMES,
): Promise<RunningAgent> {
  const enrollment = requireEnrollment(parts);
  const startedMs = performance.now();
  const ended = Promise.withResolvers<void>();
  const journal = parts.openJournal();
  const recent: RecentDecision[] = [];
  const timers = new Set<NodeJS.Timeout>();
  let protection: Protection | null = null;
  let channel: LiveChannel | null = null;
  let isRevoked = false;
  let isStopping = false;
  let isReachable: boolean | null = null;
  let ownProblem: string | null =
    journal.setAside === null ? null : `The journal was damaged; it was put aside as ${journal.setAside}.`;
  let lastSaid: string | null = null;

  const control = await openControlServer({
    status: () => status(),
    recent: () => recent,
    sight: () => sight(),
    ...serviceRequests(() => loop.client),
    'try-again': () => {
      protection?.tryAgain();
      return null;
    },
    stop: () => {
      // The answer goes out first.
      setImmediate(() => void stop());
      return null;
    },
  });
  parts.files.write(parts.files.control, JSON.stringify(control.address));

  function status(): AgentStatus {
    const now = protection?.status();
    const { config } = loop;
    return {
      ...idleStatus(parts),
      running: true,
      supervisor_state: now?.state ?? 'retrying',
      proxy_port: now?.port ?? null,
      proxy_restarts: now?.restarts ?? 0,
      system_proxy: now?.systemProxy ?? (parts.settings.changesSystemProxy ? 'not_set' : 'off'),
      revoked: isRevoked,
      problem: problemNow(),
      mode: config()?.mode ?? null,
      policy_version: config()?.policy_version ?? null,
      config_issued_at: config()?.issued_at ?? null,
      service_reachable: isReachable,
      channel_open: channel?.isOpen() ?? false,
      events_waiting: journal.waiting(),
      events_dropped: journal.dropped(),
      pid: process.pid,
      uptime_s: Math.round((performance.now() - startedMs) / 1_000),
    };
  }

  function sight(): AgentSight | null {
    const config = loop.config();
    if (config === null) return null;
    const { mode, fail_closed, bypass_hosts, blocked_tools } = config;
    const hosts = [...new Set([...config.hosts, ...parts.settings.extraHosts])];
    return { mode, fail_closed, hosts, bypass_hosts, blocked_tools };
  }

  function problemNow(): string | null {
    if (isRevoked)
      return 'The service has revoked this device: it is not protected until it is enrolled again.';
    return ownProblem ?? protection?.status().problem ?? loop.configProblem();
  }

  function changed(): void {
    if (isStopping) return;
    const now = status();
    control.tell({ event: 'status', status: now });
    const line =
      now.problem ??
      (now.proxy_port === null
        ? null
        : `This computer is protected: the proxy is 127.0.0.1:${now.proxy_port}.`);
    if (line !== null && line !== lastSaid) say(line);
    lastSaid = line;
  }

  function record(event: DecisionEvent): void {
    const decision = recentOf(event);
    recent.unshift(decision);
    recent.length = Math.min(recent.length, MAX_RECENT);
    control.tell({ event: 'decision', decision });
    const told = deviceEventOf(event);
    if (told === null) return;
    try {
      journal.add(told);
    } catch (error) {
      ownProblem = `Decisions cannot be recorded (${(error as { code?: string }).code}): free space on the disk.`;
      changed();
      return;
    }
    loop.upload?.poke();
  }

  function heartbeat(): Heartbeat {
    const { supervisor_state, proxy_restarts, uptime_s, policy_version } = status();
    return {
      agent_version: AGENT_VERSION,
      supervisor_state: supervisor_state === 'stopped' ? 'retrying' : supervisor_state,
      proxy_restarts,
      uptime_s,
      platform: platformName(parts.settings.platform),
      queue_length: journal.waiting(),
      ...(policy_version !== null && { policy_version }),
    };
  }

  const loop = {
    client: null as ServiceClient | null,
    config: () => null as ReturnType<ReturnType<typeof createConfigKeeper>['current']>,
    configProblem: () => null as string | null,
    upload: null as ReturnType<typeof createEventUpload> | null,
    end: async (): Promise<void> => {},
  };

  const every = (ms: number, work: () => Promise<void>): void => {
    timers.add(setInterval(() => void work(), ms));
  };
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      timers.add(setTimeout(resolve, ms));
    });

  async function begin(): Promise<void> {
    // What an earlier run could not put back.
    if (parts.settings.changesSystemProxy) await parts.network.release();
    const apiKey = await readCredential();
    if (apiKey === null) return;
    const client = createServiceClient({ url: enrollment.server, apiKey, deadlineMs: times.deadlineMs });
    const keeper = createConfigKeeper(enrollment, journal, client);
    const upload = createEventUpload({
      journal,
      send: async (events) => {
        const outcome = await client.sendEvents(events);
        noteAnswer(outcome);
        return outcome;
      },
      firstPauseMs: times.retryMs,
      longestPauseMs: 12 * times.retryMs,
    });
    loop.client = client;
    loop.config = keeper.current;
    loop.configProblem = keeper.problem;
    loop.upload = upload;

    const refresh = async (): Promise<void> => {
      const outcome = await keeper.refresh();
      if (outcome === 'same' || outcome === 'changed') isReachable = true;
      if (outcome === 'no-answer') isReachable = false;
      const config = keeper.current();
      if (config !== null && !isRevoked && !isStopping) await protection?.work(config);
      changed();
    };
    const report = async (): Promise<void> => {
      const outcome = await client.heartbeat(heartbeat());
      noteAnswer(outcome);
      if (outcome.kind !== 'ok') return;
      if (outcome.value.revoked) await revoke();
      else if (outcome.value.config_changed) await refresh();
      upload.poke();
    };
    const hear = (message: ServiceMessage): void => {
      if (message.type === 'exception-decided')
        control.tell({ event: 'request-decided', request: message.exception });
      if (message.type === 'tool-request-decided')
        control.tell({ event: 'request-decided', request: message.tool_request });
      if (message.type === 'revoked') void revoke();
      else void refresh();
    };
    loop.end = async () => {
      await upload.stop();
      await client.close();
    };

    protection = createProtection({
      parts,
      server: enrollment.server,
      apiKey,
      probeToken: randomBytes(16).toString('hex'),
      onEvent: record,
      onChange: () => {
        changed();
        // At once, by whichever way there is.
        if (channel?.isOpen() === true) channel.say({ type: 'heartbeat', ...heartbeat() });
        else if (channel !== null && !isRevoked && !isStopping) void report();
      },
    });
    const kept = keeper.current();
    if (kept !== null) await protection.work(kept);
    await refresh();
    channel = openLiveChannel({
      url: enrollment.server,
      apiKey,
      random: Math.random,
      onOpen: () => {
        isReachable = true;
        channel?.say({ type: 'heartbeat', ...heartbeat() });
        upload.poke();
        changed();
      },
      onMessage: hear,
    });
    while (keeper.current() === null && !isStopping) {
      ownProblem =
        'The service has not sent a configuration yet, so nothing is protected; the agent keeps asking.';
      changed();
      await pause(times.retryMs);
      await refresh();
      if (keeper.current() !== null) ownProblem = null;
    }
    if (isStopping) return;
    every(times.heartbeatMs, report);
    every(times.refreshMs, refresh);
    await report();
    upload.poke();
    changed();
  }

  /** Null: the agent stops. A locked keychain is waited for. */
  async function readCredential(): Promise<string | null> {
    for (;;) {
      if (isStopping) return null;
      const read = await parts.vault.read('device-credential');
      if (read.kind === 'ok') {
        ownProblem = null;
        return read.secret;
      }
      ownProblem =
        read.kind === 'missing'
          ? 'The credential of this device is not in the keychain: unenroll this computer and enroll it again.'
          : read.reason;
      changed();
      await pause(times.retryMs);
    }
  }

  function noteAnswer(outcome: { readonly kind: string; readonly code?: string }): void {
    isReachable = outcome.kind !== 'no-answer';
    if (outcome.kind === 'refused' && GONE_CODES.includes(outcome.code ?? '')) void revoke();
  }

  async function revoke(): Promise<void> {
    if (isRevoked || isStopping) return;
    isRevoked = true;
    channel?.close();
    await protection?.stop();
    changed();
  }

  let stopping: Promise<void> | null = null;
  function stop(): Promise<void> {
    stopping ??= end();
    return stopping;
  }

  async function end(): Promise<void> {
    isStopping = true;
    for (const timer of timers) clearTimeout(timer);
    channel?.close();
    await protection?.stop();
    await loop.end();
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
  throw new AgentFault(
    known.kind === 'damaged'
      ? known.reason
      : 'This computer is not enrolled: run "agent enroll --server URL --token TOKEN" first.',
  );
}

function recentOf(event: DecisionEvent): RecentDecision {
  return {
    event_id: event.eventId,
    at: new Date(event.atMs).toISOString(),
    host: event.host,
    direction: event.direction,
    decision: event.decision,
    done: event.done,
    decided_by: event.decidedBy,
    threat_type: event.threatType,
    why: event.done === 'forwarded' ? null : reasonOf(event),
  };
}
