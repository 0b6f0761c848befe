import { CodedError, type ExceptionRecord } from '@csg/shared/contract';
import type { Admin } from '../../access/caller.ts';
import type { Storage } from '../../storage/storage.ts';
import { requireApprover, stateError } from './participants.ts';
import { exceptionRecord } from './records.ts';
import { auditData, unknownException } from './request-exception.ts';

export interface DecideDeps {
  readonly storage: Pick<Storage, 'transaction'>;
}

export interface ExceptionVerdict {
  readonly approve: boolean;
  /** Shown to the requester. */
  readonly reason?: string;
  /** Fewer minutes than requested. */
  readonly minutes?: number;
}

/** Approves or denies a pending exception. An approved one is active from now on, for its number of minutes. */
export async function decideException(
  deps: DecideDeps,
  approver: Admin,
  exceptionId: string,
  verdict: ExceptionVerdict,
): Promise<ExceptionRecord> {
  const { organizationId } = approver;
  return deps.storage.transaction(async (repositories) => {
    const found = await repositories.exceptions.get(organizationId, exceptionId);
    if (found === null) throw unknownException();
    await requireApprover({ storage: repositories }, approver, found);
    if (found.status !== 'pending') throw stateError('exception', found.status);
    const minutes = verdict.minutes ?? found.requestedMinutes;
    if (!Number.isInteger(minutes) || minutes < 1 || minutes > found.requestedMinutes) {
      throw new CodedError('invalid_request', {
        message: `An approval is valid for 1 to ${found.requestedMinutes} minutes, up to the requested duration.`,
      });
    }
    const decided = await repositories.exceptions.decide(organizationId, exceptionId, {
      approve: verdict.approve,
      decidedBy: approver.id,
      reason: verdict.reason ?? null,
      minutes,
    });
    if (decided === null) throw stateError('exception', 'decided');
    await repositories.audit.append({
      organizationId,
      kind: verdict.approve ? 'exception_approved' : 'exception_denied',
      actor: approver.id,
      subject: exceptionId,
      data: {
        ...auditData(decided),
        ...(verdict.approve ? { minutes, expires_at_ms: decided.expiresAtMs } : {}),
      },
    });
    return exceptionRecord(decided);
  });
}
