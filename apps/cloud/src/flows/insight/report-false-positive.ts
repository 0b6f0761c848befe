import { CodedError, type FalsePositives, type ThreatType } from '@csg/shared/contract';
import type { Caller } from '../../access/caller.ts';
import { requireRole } from '../../access/require-role.ts';
import type { FalsePositive, SecurityEvent, Storage } from '../../storage/storage.ts';
import { requesterOf } from '../approvals/participants.ts';
import { rowOf } from '../approvals/request-kinds.ts';

export interface FeedbackDependencies {
  readonly storage: Pick<Storage, 'events' | 'requests' | 'devices' | 'members' | 'flush' | 'transaction'>;
}

export interface FalsePositiveReport {
  readonly reason: string | null;
  /** If true, the deciding texts are allowed from then on, once another person approves. */
  readonly allowText: boolean;
}

/** Stores a false-positive report with the decision. Optionally requests that the same texts be allowed. */
export async function reportFalsePositive(
  deps: FeedbackDependencies,
  caller: Caller,
  eventId: string,
  { reason, allowText }: FalsePositiveReport,
): Promise<FalsePositive> {
  const { organizationId, actor } = caller;
  const event = await readEvent(deps, organizationId, eventId);
  await requireRole(deps, caller, 'member', { projectId: event.projectId });
  requireSomethingToReport(event, allowText);
  const requester = await requesterOf(deps, caller);
  return deps.storage.transaction(async (repositories) => {
    const before = await repositories.requests.findReport(organizationId, eventId);
    const isAsked = allowText && (before === null || ['recorded', 'denied'].includes(before.status));
    const feedback = await repositories.requests.report(organizationId, {
      ...requester,
      projectId: event.projectId,
      eventId,
      justification: reason,
      endsInMs: rowOf('false_positive').waitsMs,
      allowText: allowText || before?.allowText === true,
      status: isAsked ? 'pending' : (before?.status ?? 'recorded'),
      event,
    });
    await repositories.audit.append({
      organizationId,
      kind: rowOf('false_positive').audit.created,
      actor,
      subject: eventId,
      data: {
        ...{ decision: event.decision, threat_type: event.threatType },
        ...(isAsked ? { allow_text: true } : {}),
      },
    });
    return feedback;
  });
}

/** Withdraws a report and, with it, the texts that were allowed because of it. */
export async function cancelReport(
  deps: Pick<FeedbackDependencies, 'storage'>,
  caller: Caller,
  eventId: string,
): Promise<void> {
  const { organizationId, actor } = caller;
  const mark = await deps.storage.requests.findReport(organizationId, eventId);
  await requireRole(deps, caller, 'member', { projectId: mark?.event.projectId ?? null });
  await deps.storage.transaction(async (repositories) => {
    if (mark === null || !(await repositories.requests.remove(organizationId, mark.id))) throw unknownEvent();
    const texts = await repositories.allowedTexts.removeOfEvent(organizationId, eventId);
    await repositories.audit.append({
      organizationId,
      kind: 'event_mark_removed',
      actor,
      subject: eventId,
      data: texts === 0 ? {} : { allowed_texts_removed: texts },
    });
  });
}

/** Returns the event; if it was pruned, from the stored report. */
export async function readEvent(
  { storage }: { readonly storage: Pick<Storage, 'events' | 'requests' | 'flush'> },
  organizationId: string,
  eventId: string,
): Promise<SecurityEvent> {
  await storage.flush();
  const event =
    (await storage.events.get(organizationId, eventId)) ??
    (await storage.requests.findReport(organizationId, eventId))?.event;
  if (event === undefined) throw unknownEvent();
  return event;
}

/** Counts the disputed rules, most frequent first; a rule counts once per event. */
export function countByRule(feedback: readonly FalsePositive[]): FalsePositives['rules'] {
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

function requireSomethingToReport(event: SecurityEvent, allowText: boolean): void {
  if (event.decision === 'allow' && event.findings.length === 0) {
    throw new CodedError('invalid_state', {
      message: 'This event was allowed without findings, so there is nothing to report.',
    });
  }
  if (allowText && !event.findings.some(({ textKey }) => textKey !== undefined)) {
    throw new CodedError('invalid_state', {
      message:
        'Only a text with an attack that was blocked or withheld can be allowed. For personal data, secrets and your own policies, use an exception or a policy.',
    });
  }
}

function unknownEvent(): CodedError {
  return new CodedError('not_found', {
    message: 'No such event in this organization. It may have been deleted by event retention.',
  });
}
