import { CodedError, type ToolReviewRecord, toolReviewSchema } from '@csg/shared/contract';
import { recordableText } from '@csg/shared/text';
import type { Admin } from '../../access/caller.ts';
import { requireRole } from '../../access/require-role.ts';
import type { Repositories, Storage, ToolReview } from '../../storage/storage.ts';
import { wireOf } from '../../wire/wire-of.ts';
import { stateError } from '../approvals/participants.ts';
import type { Principal } from '../authenticate-key.ts';
import type { Clock } from '../clock.ts';

export interface ReviewDeps {
  readonly storage: Pick<Storage, 'toolReviews' | 'transaction'>;
  readonly clock: Clock;
}

/** How long a review stays open, and how long an approval is valid. */
const WAITS_MS = 24 * 60 * 60_000;
const REVIEW_LIFE_MS = 60 * 60_000;
const MAX_WAITING = 100;

interface ReviewInput {
  /** The review of this very call that is pending or denied. */
  readonly open: ToolReview | null;
  readonly agentId: string;
  readonly sessionId: string | null;
  readonly toolName: string;
  /** Canonical form of the call: an approval applies to exactly this. */
  readonly call: string;
  /** All spellings by which the call may be recognized, including `call`. */
  readonly spellings: readonly string[];
  /** Shown to the approver. */
  readonly arguments: object;
  readonly reason: string;
  /** The decision that holds the call. */
  readonly eventId: string;
}

/** Returns the open review of a call, or creates a pending one. */
export async function requestReview(
  deps: ReviewDeps,
  principal: Principal,
  input: ReviewInput,
): Promise<ToolReview> {
  if (input.open !== null) return input.open;
  const { organizationId } = principal;
  return deps.storage.transaction(async (repositories) => {
    // If several requests ask for the same call concurrently, all but the first find its review.
    await repositories.organizations.lock(organizationId);
    const made = await repositories.toolReviews.findOpen(organizationId, input.spellings);
    return made ?? insertReview(deps, repositories, principal, input);
  });
}

async function insertReview(
  { clock }: Pick<ReviewDeps, 'clock'>,
  repositories: Pick<Repositories, 'audit' | 'toolReviews'>,
  principal: Principal,
  input: ReviewInput,
): Promise<ToolReview> {
  const { organizationId, projectId, actor: requestedBy } = principal;
  const waiting = await repositories.toolReviews.countPending(organizationId, requestedBy);
  if (waiting >= MAX_WAITING) {
    throw new CodedError('rate_limit_exceeded', {
      message: `${MAX_WAITING} tool calls of this key are pending, which is the limit. Have some of them decided first.`,
      fields: { retry_after: 60 },
      headers: { 'Retry-After': '60' },
    });
  }
  const made = await repositories.toolReviews.insert(organizationId, {
    projectId,
    requestedBy,
    requesterUserId: principal.userId,
    agentId: input.agentId,
    sessionId: input.sessionId,
    toolName: input.toolName,
    call: input.call,
    // Stored encrypted, so that approvers see what they approve; with zero retention only the digest is stored.
    arguments: principal.zeroRetention ? null : input.arguments,
    reason: input.reason,
    eventId: input.eventId,
    expiresAtMs: clock.now() + WAITS_MS,
  });
  await repositories.audit.append({
    organizationId,
    kind: 'tool_review_created',
    actor: requestedBy,
    subject: made.id,
    data: { project_id: projectId, tool_name: recordableText(input.toolName) },
  });
  return made;
}

/**
 * Records an admin's decision on a pending call. Unlike with exceptions, admins may decide on calls made with their own
 * keys, because the agent is the requester.
 */
export async function decideToolReview(
  deps: ReviewDeps,
  approver: Admin,
  reviewId: string,
  verdict: { readonly approve: boolean; readonly reason?: string | null },
): Promise<ToolReview> {
  const { organizationId } = approver;
  return deps.storage.transaction(async (repositories) => {
    const found = await repositories.toolReviews.get(organizationId, reviewId);
    await requireRole({ storage: repositories }, approver, 'admin', { projectId: found?.projectId ?? null });
    if (found === null) throw unknownReview();
    if (found.status !== 'pending') throw stateError('tool call', found.status);
    const decided = await repositories.toolReviews.decide(organizationId, reviewId, {
      approve: verdict.approve,
      decidedBy: approver.id,
      reason: verdict.reason ?? null,
      expiresAtMs: deps.clock.now() + REVIEW_LIFE_MS,
    });
    if (decided === null) throw stateError('tool call', 'decided');
    await repositories.audit.append({
      organizationId,
      kind: verdict.approve ? 'tool_review_approved' : 'tool_review_denied',
      actor: approver.id,
      subject: reviewId,
      data: { project_id: decided.projectId, tool_name: recordableText(decided.toolName) },
    });
    return decided;
  });
}

export async function readToolReview(
  deps: { readonly storage: Pick<Storage, 'toolReviews'> },
  organizationId: string,
  reviewId: string,
): Promise<ToolReviewRecord> {
  const found = await deps.storage.toolReviews.get(organizationId, reviewId);
  if (found === null) throw unknownReview();
  return toolReviewRecord(found);
}

export const toolReviewRecord = wireOf(toolReviewSchema);

function unknownReview(): CodedError {
  return new CodedError('not_found', { message: 'No such tool call review.' });
}
