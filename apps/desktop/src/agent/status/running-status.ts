import { type Heartbeat, MAX_REPORTED_HOSTS } from '@csg/shared/contract';
import type { AgentStatus, InspectionScope } from '../control/control-messages.ts';
import type { AgentParts } from '../host/open-agent.ts';
import type { ProtectionStatus } from '../protection/protection.ts';
import { requestedUpdate } from '../service/managed-update.ts';
import type { SessionStatus } from '../service/service-session.ts';
import { AGENT_VERSION, platformName } from '../settings/agent-package.ts';
import { idleStatus } from './read-status.ts';

/** What the parts of a running agent report; null: not started yet. */
export interface RunningParts {
  readonly protection: ProtectionStatus | null;
  readonly session: SessionStatus | null;
  readonly eventsWaiting: number;
  readonly eventsDropped: number;
  readonly unread: readonly string[];
  readonly problem: string | null;
  readonly uptimeMs: number;
}

export function runningStatus(
  parts: Pick<AgentParts, 'files' | 'settings'>,
  { protection, session, eventsWaiting, eventsDropped, unread, problem, uptimeMs }: RunningParts,
): AgentStatus {
  return {
    ...idleStatus(parts),
    running: true,
    ...(protection === null ? { supervisor_state: 'retrying' } : protectionFields(protection)),
    ...(session !== null && sessionFields(session)),
    unread,
    problem,
    events_waiting: eventsWaiting,
    events_dropped: eventsDropped,
    pid: process.pid,
    uptime_s: Math.round(uptimeMs / 1_000),
  };
}

function protectionFields(status: ProtectionStatus) {
  const { state, port, restarts, systemProxy, needsTrust, uncovered } = status;
  return {
    supervisor_state: state,
    proxy_port: port,
    proxy_restarts: restarts,
    system_proxy: systemProxy,
    needs_trust: needsTrust,
    needs_administrator: uncovered,
  };
}

function sessionFields(session: SessionStatus) {
  const { config, managed, isRevoked, isReachable, isChannelOpen, reportedAtMs } = session;
  const demand = requestedUpdate(managed, AGENT_VERSION);
  return {
    revoked: isRevoked,
    update: demand === null ? null : { required: demand.isRequired, sentence: demand.sentence },
    fleet: managed?.fleet ?? null,
    pinned_channel: managed?.pinned_channel ?? null,
    mode: config?.mode ?? null,
    policy_version: config?.policy_version ?? null,
    config_issued_at: config?.issued_at ?? null,
    service_reachable: isReachable,
    channel_open: isChannelOpen,
    last_reported_at: reportedAtMs === null ? null : new Date(reportedAtMs).toISOString(),
  };
}

/** Returns the part of the status that the service receives. */
export function heartbeatOf(status: AgentStatus, platform: NodeJS.Platform): Heartbeat {
  const { supervisor_state: state, system_proxy, proxy_restarts, uptime_s, policy_version } = status;
  // A working proxy protects no app that is not directed to it, and no host that it cannot read.
  const isQuiet = state === 'quiet' && system_proxy !== 'not_set' && status.unread.length === 0;
  return {
    agent_version: AGENT_VERSION,
    supervisor_state: isQuiet ? 'quiet' : state === 'gave_up' ? 'gave_up' : 'retrying',
    proxy_restarts,
    uptime_s,
    platform: platformName(platform),
    queue_length: status.events_waiting,
    system_proxy,
    needs_administrator: status.needs_administrator.slice(0, MAX_REPORTED_HOSTS),
    ...(policy_version !== null && { policy_version }),
  };
}

/** Returns what is inspected on this computer; null: there is no configuration yet. */
export function inspectionScopeOf(
  session: SessionStatus | null,
  extraHosts: readonly string[],
): InspectionScope | null {
  const config = session?.config ?? null;
  if (config === null) return null;
  const { mode, fail_closed, bypass_hosts, blocked_tools } = config;
  const hosts = [...new Set([...config.hosts, ...extraHosts])];
  return { mode, fail_closed, hosts, bypass_hosts, blocked_tools };
}
