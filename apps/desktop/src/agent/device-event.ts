import type { DeviceEvent } from '@csg/shared/contract';
import type { DecisionEvent } from '../inspect/decision-event.ts';

/** What the service is told of a decision; null where it decided itself and knows. */
export function deviceEventOf(event: DecisionEvent): DeviceEvent | null {
  if (event.decidedBy === 'cloud') return null;
  const reason = reasonOf(event);
  return {
    event_id: event.eventId,
    at: new Date(event.atMs).toISOString(),
    direction: event.direction,
    decision: event.decision,
    confidence: event.confidence,
    decided_by: event.decidedBy,
    done: event.done,
    policy_version: event.policyVersion.slice(0, 64),
    ...(event.threatType !== null && { threat_type: event.threatType }),
    ...(/^[A-Za-z0-9_.:[\]-]{1,255}$/.test(event.host) && { destination_host: event.host }),
    ...(reason !== null && { reason: reason.word }),
    ...(reason?.failMode !== undefined && { fail_mode: reason.failMode }),
  };
}

interface Reason {
  readonly word: string;
  readonly failMode?: 'open' | 'closed';
}

/** Notes are sentences and may quote an app's own words; the service gets one word. */
function reasonOf({ note, isException }: DecisionEvent): Reason | null {
  if (isException) return { word: 'exception' };
  if (note === null) return null;
  if (note.startsWith('Passed without being read')) return { word: 'unread', failMode: 'open' };
  if (note.startsWith('It could not be read')) return { word: 'unread', failMode: 'closed' };
  if (note.startsWith('It cannot be read for certain')) return { word: 'ambiguous' };
  if (note.startsWith('This tool may not be used')) return { word: 'blocked_tool' };
  return { word: note.startsWith('The service gave no verdict') ? 'offline' : 'other' };
}
