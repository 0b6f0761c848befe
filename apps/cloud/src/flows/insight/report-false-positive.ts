import { CodedError, type FalsePositives, type ThreatType } from '@csg/shared/contract';
import type { Admin } from '../../access/caller.ts';
import { requireRole } from '../../access/require-role.ts';
import type { EventFeedback, SecurityEvent, Storage } from '../../storage/storage.ts';

export interface FeedbackDependencies {
  readonly storage: Pick<Storage, 'events' | 'eventFeedback' | 'members' | 'flush' | 'transaction'>;
}

/** "This was fine": keeps what was decided and why, for the list of false alarms. */
export async function reportFalsePositive(
  deps: FeedbackDependencies,
  person: Admin,
  eventId: string,
  note: string | null,
): Promise<EventFeedback> {
  const { organizationId } = person;
  await requireRole(deps, person, 'member');
  const event = await readEvent(deps, organizationId, eventId);
  if (event.decision === 'allow' && event.findings.length === 0) {
    throw new CodedError('invalid_state', {
      message: 'This event has no findings and was allowed: there is no finding to report.',
    });
  }
  return deps.storage.transaction(async (repositories) => {
    const feedback = await repositories.eventFeedback.set(organizationId, {
      eventId,
      note,
      markedBy: person.id,
      event,
    });
    await repositories.audit.append({
      organizationId,
      kind: 'event_marked_fine',
      actor: person.id,
      subject: eventId,
      data: { decision: event.decision, threat_type: event.threatType },
    });
    return feedback;
  });
}

export async function cancelReport(
  deps: FeedbackDependencies,
  person: Admin,
  eventId: string,
): Promise<void> {
  const { organizationId } = person;
  await requireRole(deps, person, 'member');
  await deps.storage.transaction(async (repositories) => {
    if (!(await repositories.eventFeedback.remove(organizationId, eventId))) throw unknownEvent();
    await repositories.audit.append({
      organizationId,
      kind: 'event_mark_removed',
      actor: person.id,
      subject: eventId,
      data: {},
    });
  });
}

/** The event; one that was pruned lives on in its mark. */
export async function readEvent(
  { storage }: { readonly storage: Pick<Storage, 'events' | 'eventFeedback' | 'flush'> },
  organizationId: string,
  eventId: string,
): Promise<SecurityEvent> {
  await storage.flush();
  const event =
    (await storage.events.get(organizationId, eventId)) ??
    (await storage.eventFeedback.get(organizationId, eventId))?.event;
  if (event === undefined) throw unknownEvent();
  return event;
}

/** Which rules people disagree with, most often first; a rule counts once for an event. */
export function countByRule(feedback: readonly EventFeedback[]): FalsePositives['rules'] {
  const counts = new Map<string, { rule: string; type: ThreatType; count: number }>();
  for (const { event } of feedback) {
    for (const rule of new Set(event.findings.map((finding) => finding.rule))) {
      const type = event.findings.find((finding) => finding.rule === rule)!.type;
      const known = counts.get(rule) ?? { rule, type, count: 0 };
      known.count += 1;
      counts.set(rule, known);
    }
  }
  return [...counts.values()].sort((a, b) => b.count - a.count || a.rule.localeCompare(b.rule));
}

function unknownEvent(): CodedError {
  return new CodedError('not_found', {
    message: 'There is no event with this id in this organization; it may have been pruned.',
  });
}
