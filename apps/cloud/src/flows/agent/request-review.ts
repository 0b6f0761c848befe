import type { Repositories, Storage, ToolReview } from '../../storage/storage.ts';
import { insertRequest } from '../approvals/create-request.ts';
import type { Principal } from '../authenticate-key.ts';

export interface ReviewDeps {
  readonly storage: Pick<Storage, 'requests' | 'transaction'>;
}

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

/** Returns the open review of a call, or creates a pending one; null: too many calls of this key wait. */
export async function requestReview(
  deps: ReviewDeps,
  principal: Principal,
  input: ReviewInput,
): Promise<ToolReview | null> {
  if (input.open !== null) return input.open;
  const { organizationId } = principal;
  return deps.storage.transaction(async (repositories) => {
    // If several requests ask for the same call concurrently, all but the first find its review.
    await repositories.organizations.lock(organizationId);
    const made = await repositories.requests.findOpen(organizationId, 'tool_review', input.spellings);
    return made ?? insertReview(repositories, principal, input);
  });
}

async function insertReview(
  repositories: Pick<Repositories, 'audit' | 'requests'>,
  principal: Principal,
  input: ReviewInput,
): Promise<ToolReview | null> {
  const { organizationId, projectId, deviceId, actor: requestedBy, userId: requesterUserId } = principal;
  const by = { requestedBy };
  if ((await repositories.requests.countPending(organizationId, 'tool_review', by)) >= MAX_WAITING)
    return null;
  return insertRequest(repositories, principal, 'tool_review', {
    ...{ projectId, deviceId, requestedBy, requesterUserId },
    agentId: input.agentId,
    sessionId: input.sessionId,
    toolName: input.toolName,
    subject: input.call,
    // Stored encrypted, so that approvers see what they approve; with zero retention only the digest is stored.
    arguments: principal.zeroRetention ? null : input.arguments,
    reason: input.reason,
    eventId: input.eventId,
  });
}
