import { reasonOf } from '../../inspect/block-reply.ts';
import type { DecisionEvent } from '../../inspect/decision-event.ts';
import type { Journal } from '../../journal/open-journal.ts';
import type { RecentDecision } from '../control/control-messages.ts';
import { deviceEventOf } from './device-event.ts';

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
