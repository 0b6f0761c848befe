import { existsSync } from 'node:fs';
import { isClosedPac } from '../../network/make-pac.ts';
import { openRestoreJournal } from '../../network/restore-journal.ts';
import { type ControlOptions, connectControl, unresponsivePid } from '../control/control-client.ts';
import type { AgentStatus } from '../control/control-messages.ts';
import type { AgentParts } from '../host/open-agent.ts';
import { AGENT_VERSION } from '../settings/agent-package.ts';

type StatusParts = Pick<AgentParts, 'files' | 'settings'>;

/** Returns the status from the running agent, otherwise from the disk. */
export async function readStatus(parts: StatusParts, options: ControlOptions = {}): Promise<AgentStatus> {
  const agent = await connectControl(parts.files.control, options);
  if (agent === null) return unresponsiveStatus(parts);
  try {
    return await agent.call('status');
  } catch (error) {
    return { ...idleStatus(parts), problem: (error as Error).message };
  } finally {
    agent.close();
  }
}

function unresponsiveStatus(parts: StatusParts): AgentStatus {
  const pid = unresponsivePid(parts.files.control);
  const status = idleStatus(parts);
  if (pid === null || !status.enrolled) return status;
  const problem = `The agent does not respond. If this continues, end the process ${pid} and run "agent run".`;
  return { ...status, problem };
}

/** The status while no agent runs. */
export function idleStatus({ files, settings }: StatusParts): AgentStatus {
  const known = files.enrollment();
  const enrollment = known.kind === 'ok' ? known.enrollment : null;
  return {
    enrolled: enrollment !== null,
    running: false,
    supervisor_state: 'stopped',
    proxy_port: null,
    proxy_restarts: 0,
    ca_path: existsSync(files.root) ? files.root : null,
    system_proxy: settings.changesSystemProxy ? 'not_set' : 'off',
    needs_trust: false,
    needs_administrator: [],
    revoked: false,
    unread: [],
    problem: problemOf(known, isClosed(files.restore)),
    update: null,
    fleet: null,
    pinned_channel: null,
    server: enrollment?.server ?? null,
    device_id: enrollment?.deviceId ?? null,
    device_name: enrollment?.deviceName ?? null,
    account_name: enrollment?.accountName ?? null,
    mode: null,
    policy_version: null,
    config_issued_at: null,
    service_reachable: null,
    channel_open: false,
    last_reported_at: null,
    events_waiting: 0,
    events_dropped: 0,
    agent_version: AGENT_VERSION,
    pid: null,
    uptime_s: 0,
  };
}

function problemOf(known: ReturnType<AgentParts['files']['enrollment']>, closed: boolean): string {
  if (known.kind === 'damaged') return known.reason;
  if (known.kind === 'missing') return 'This computer is not enrolled, so nothing is protected.';
  return closed
    ? 'The agent is not running, so AI sites are blocked by the policy of your organization. Start it with "agent run".'
    : 'The agent is not running, so nothing is protected. Start it with "agent run".';
}

/** True if the proxy setting of a policy that fails closed is in place. */
function isClosed(restoreFile: string): boolean {
  const kept = openRestoreJournal(restoreFile).read();
  return kept.kind === 'entry' && Object.values(kept.entry.ours).some(isClosedPac);
}
