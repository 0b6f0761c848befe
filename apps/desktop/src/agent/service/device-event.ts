import type { DeviceEvent } from '@csg/shared/contract';
import type { DecisionEvent } from '../../inspect/decision-event.ts';

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
