import { CodedError, type ThreatType } from '@csg/shared/contract';
import type { Admin } from '../../access/caller.ts';
import { requireRole } from '../../access/require-role.ts';
import type { AllowedText, EventFeedback, EventFinding, Storage } from '../../storage/storage.ts';
import { requireApprover, stateError } from './participants.ts';

export interface FeedbackDecisionDeps {
  readonly storage: Pick<Storage, 'transaction'>;
}

export interface FeedbackDecision {
  readonly approve: boolean;
  /** Shown to the requester. */
  readonly reason?: string | undefined;
}

/** Approves or denies that the texts of a reported event are allowed, from the next request on. */
export async function decideFeedback(
  deps: FeedbackDecisionDeps,
  approver: Admin,
  feedbackId: string,
  { approve, reason }: FeedbackDecision,
): Promise<EventFeedback> {
  const { organizationId } = approver;
  return deps.storage.transaction(async (repositories) => {
    const found = await repositories.eventFeedback.find(organizationId, feedbackId);
    if (found === null) {
      throw new CodedError('not_found', { message: 'No such feedback.' });
    }
    const { event, markedBy, requesterUserId } = found;
    const { projectId, deviceId } = event;
    await requireApprover({ storage: repositories }, approver, {
      ...{ projectId, deviceId, requesterUserId },
      requestedBy: markedBy,
    });
    const decided = await repositories.eventFeedback.decide(organizationId, feedbackId, {
      approve,
      decidedBy: approver.id,
      reason: reason ?? null,
    });
    if (decided === null) throw stateError('feedback', found.status);
    const texts = approve ? typesByText(event.findings) : new Map<string, Set<ThreatType>>();
    for (const [textKey, threatTypes] of texts) {
      await repositories.allowedTexts.insert(
        { organizationId, projectId },
        { textKey, threatTypes: [...threatTypes], eventId: event.id, approvedBy: approver.id },
      );
    }
    await repositories.audit.append({
      organizationId,
      kind: approve ? 'text_allowed' : 'text_denied',
      actor: approver.id,
      subject: event.id,
      data: { feedback_id: feedbackId, project_id: projectId, texts: texts.size },
    });
    return decided;
  });
}

function typesByText(findings: readonly EventFinding[]): Map<string, Set<ThreatType>> {
  const types = new Map<string, Set<ThreatType>>();
  for (const { textKey, type } of findings) {
    if (textKey === undefined) continue;
    types.set(textKey, (types.get(textKey) ?? new Set()).add(type));
  }
  return types;
}

/** Revokes the approval of a text, from the next request on. */
export async function removeAllowedText(
  deps: FeedbackDecisionDeps,
  admin: Admin,
  allowedTextId: string,
): Promise<AllowedText> {
  const { organizationId } = admin;
  return deps.storage.transaction(async (repositories) => {
    const removed = await repositories.allowedTexts.remove(organizationId, allowedTextId);
    await requireRole({ storage: repositories }, admin, 'admin', { projectId: removed?.projectId ?? null });
    if (removed === null) {
      throw new CodedError('not_found', { message: 'No such allowed text.' });
    }
    await repositories.audit.append({
      organizationId,
      kind: 'allowed_text_removed',
      actor: admin.id,
      subject: allowedTextId,
      data: { event_id: removed.eventId, project_id: removed.projectId },
    });
    return removed;
  });
}
