import type { DeviceEvent } from '@csg/shared/contract';
import { reasonOf } from '../../inspect/block-reply.ts';
import type { DecisionEvent } from '../../inspect/decision-event.ts';
import type { Journal } from '../../journal/open-journal.ts';
import type { RecentDecision } from '../control/control-messages.ts';

export interface DecisionLog {
  /** Also stores it in the journal if the service must be notified. */
  record(event: DecisionEvent): RecentDecision;
  /** Newest first. */
  recent(): readonly RecentDecision[];
  /** Why the last decision could not be stored; null: it was. */
  problem(): string | null;
}

const MAX_RECENT = 100;

export function createDecisionLog(journal: Pick<Journal, 'add'>): DecisionLog {
  const recent: RecentDecision[] = [];
  let problem: string | null = null;
  return {
    recent: () => recent,
    problem: () => problem,
    record(event) {
      const decision = recentOf(event);
      recent.unshift(decision);
      recent.length = Math.min(recent.length, MAX_RECENT);
      const deviceEvent = deviceEventOf(event);
      if (deviceEvent === null) return decision;
      try {
        journal.add(deviceEvent);
        problem = null;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        problem = `Decisions cannot be stored for the service (${code}). Free space on the disk.`;
      }
      return decision;
    },
  };
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
    reason: event.reason,
    why: event.done === 'forwarded' ? null : reasonOf(event),
  };
}

/** Returns the event for the service; null if the service itself decided. Notes stay on this computer. */
export function deviceEventOf(event: DecisionEvent): DeviceEvent | null {
  if (event.decidedBy === 'cloud') return null;
  const { exceptionId, reason, threatType } = event;
  return {
    event_id: event.eventId,
    at: new Date(event.atMs).toISOString(),
    direction: event.direction,
    decision: event.decision,
    confidence: event.confidence,
    decided_by: event.decidedBy,
    ...(event.decidedBy === 'device' && { judged_by: 'device' }),
    done: event.done,
    policy_version: event.policyVersion.slice(0, 64),
    ...(threatType !== null && { threat_type: threatType }),
    ...(/^[A-Za-z0-9_.:[\]-]{1,255}$/.test(event.host) && { destination_host: event.host }),
    ...(reason !== null && { reason }),
    ...((reason === 'unread' || reason === 'no_certificate' || reason === 'pinned') && {
      fail_mode: event.decision === 'block' ? 'closed' : 'open',
    }),
    ...(exceptionId !== null && { exception_id: exceptionId }),
    ...(event.findings.length > 0 && {
      findings: event.findings.map(({ path, ...finding }) => ({ ...finding, ...(path !== '' && { path }) })),
    }),
  };
}
