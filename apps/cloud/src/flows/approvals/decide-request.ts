import { CodedError, type DecideMany, type ManyDecided, type RequestKind } from '@csg/shared/contract';
import type { Admin } from '../../access/caller.ts';
import { requireRole } from '../../access/require-role.ts';
import type { AnyRequest, RequestOf, Storage } from '../../storage/storage.ts';
import { requireApprover, stateError } from './participants.ts';
import { rowOf, type Verdict } from './request-kinds.ts';

export interface DecideDeps {
  readonly storage: Pick<Storage, 'transaction'>;
}

/**
 * Approves or denies a pending request; the first decision applies. What follows from it and how long it applies is
 * the kind's (request-kinds.ts).
 */
export async function decideRequest<K extends RequestKind = RequestKind>(
  deps: DecideDeps,
  approver: Admin,
  request: { readonly id: string; readonly kind?: K },
  verdict: Verdict,
): Promise<RequestOf<K>> {
  const { organizationId } = approver;
  return deps.storage.transaction(async (repositories) => {
    const { id, kind } = request;
    const found = (await repositories.requests.get(organizationId, id, kind)) as AnyRequest | null;
    if (found === null) {
      // Checked first, so that ids cannot be probed.
      await requireRole({ storage: repositories }, approver, 'admin', { projectId: null });
      throw new CodedError('not_found', {
        message: kind === undefined ? 'No such request.' : rowOf(kind).missing,
      });
    }
    const row = rowOf<RequestKind>(found.kind);
    await requireApprover({ storage: repositories }, approver, found, row);
    if (found.status !== 'pending') throw stateError(row.name, found.status);
    const threat = row.narrowedTo?.(found, verdict);
    const decided = await repositories.requests.decide(organizationId, id, {
      approve: verdict.approve,
      decidedBy: approver.id,
      reason: verdict.reason ?? null,
      endsInMs: row.appliesMs(found, verdict),
      ...(threat !== undefined && { threat }),
    });
    if (decided === null) throw stateError(row.name, 'decided');
    const followed = await row.follow(repositories, decided, organizationId);
    await repositories.audit.append({
      organizationId,
      kind: verdict.approve ? row.audit.approved : row.audit.denied,
      actor: approver.id,
      subject: row.subject(decided),
      data: { ...row.data(decided), ...followed },
    });
    return decided as RequestOf<K>;
  });
}

/** Decides each request on its own, in order: one that another approver has already decided does not stop the rest. */
export async function decideMany(
  deps: DecideDeps,
  approver: Admin,
  { decision, reason, requests }: DecideMany,
): Promise<ManyDecided> {
  const result: ManyDecided = { decided: [], failed: [] };
  for (const { kind, id } of requests) {
    try {
      const request = { id, kind: kind === 'text' ? ('false_positive' as const) : kind };
      await decideRequest(deps, approver, request, { approve: decision === 'approve', reason });
      result.decided.push({ kind, id });
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      result.failed.push({ kind, id, code: error.code, message: error.message });
    }
  }
  return result;
}
