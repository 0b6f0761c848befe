import { randomBytes } from 'node:crypto';
import type { ControlServer } from './control/control-server.ts';
import type { AgentParts } from './host/open-agent.ts';
import { createProtection, type Protection } from './protection/protection.ts';
import type { DecisionLog } from './service/decision-log.ts';
import { createServiceSession, type ServiceSession, type SessionDeps } from './service/service-session.ts';
import type { UnreadHosts } from './status/unread-hosts.ts';

/** The parts of an agent that has its credential. */
export interface ActiveAgent {
  readonly protection: Protection;
  readonly session: ServiceSession;
}

interface Reporting {
  readonly log: DecisionLog;
  readonly unread: UnreadHosts;
  readonly control: ControlServer;
  readonly changed: () => void;
}

/** Protects as the service configures it, and reports events to the service and the window. */
export function createActiveAgent(
  parts: AgentParts,
  connection: Omit<SessionDeps, 'onConfig' | 'onRevoked' | 'onDecided' | 'onChange'>,
  { log, unread, control, changed }: Reporting,
): ActiveAgent {
  const { enrollment, apiKey, proxy, journal } = connection;
  const protection = createProtection({
    parts,
    service: { url: enrollment.server, apiKey, proxy },
    probeToken: randomBytes(16).toString('hex'),
    journal,
    onEvent(event) {
      const before = log.problem();
      control.broadcast({ event: 'decision', decision: log.record(event) });
      const isUnread = unread.record(event);
      if (isUnread || log.problem() !== before) changed();
      if (isUnread) session.reportNow();
      session.flush();
    },
    onChange() {
      changed();
      session.reportNow();
    },
  });
  const session = createServiceSession({
    ...connection,
    onConfig: protection.work,
    onRevoked: protection.end,
    onDecided: (request) => control.broadcast({ event: 'request-decided', request }),
    onChange: changed,
  });
  return { protection, session };
}
