import {
  CodedError,
  type CreateException,
  DEFAULT_EXCEPTION_MINUTES,
  type ExceptionRecord,
} from '@csg/shared/contract';
import { hostName } from '@csg/shared/detection';
import { recordableText } from '@csg/shared/text';
import type { Caller } from '../../access/caller.ts';
import type { Exception, JsonObject, Storage } from '../../storage/storage.ts';
import { isVisible, requesterOf, requireCanceller, requireFewPending, stateError } from './participants.ts';
import { exceptionRecord } from './records.ts';

export interface ExceptionDeps {
  readonly storage: Pick<Storage, 'exceptions' | 'devices' | 'members' | 'transaction'>;
}

/** Requests a temporary exception to a decision. Nothing changes until another person approves it. */
export async function requestException(
  deps: ExceptionDeps,
  caller: Caller,
  request: CreateException,
): Promise<ExceptionRecord> {
  const requester = await requesterOf(deps, caller);
  const { organizationId, deviceId } = caller;
  return deps.storage.transaction(async (repositories) => {
    if (deviceId !== null) {
      requireFewPending(await repositories.exceptions.countPending(organizationId, deviceId));
    }
    const exception = await repositories.exceptions.insert(organizationId, {
      ...requester,
      destinationHost: request.destination_host,
      hostKey: hostName(request.destination_host),
      policyId: request.policy_id || null,
      threat: request.threat || null,
      reasonCategory: request.reason_category ?? null,
      justification: request.justification ?? null,
      eventId: request.event_id || null,
      requestedMinutes: request.requested_minutes ?? DEFAULT_EXCEPTION_MINUTES,
    });
    await repositories.audit.append({
      organizationId,
      kind: 'exception_requested',
      actor: caller.actor,
      subject: exception.id,
      data: auditData(exception),
    });
    return exceptionRecord(exception);
  });
}

export async function readException(
  deps: ExceptionDeps,
  caller: Caller,
  exceptionId: string,
): Promise<ExceptionRecord> {
  const found = await deps.storage.exceptions.get(caller.organizationId, exceptionId);
  if (found === null || !isVisible(caller, found)) throw unknownException();
  return exceptionRecord(found);
}

/** Cancels a pending or active exception, effective immediately. */
export async function cancelException(
  deps: ExceptionDeps,
  caller: Caller,
  exceptionId: string,
): Promise<ExceptionRecord> {
  const { organizationId } = caller;
  return deps.storage.transaction(async (repositories) => {
    const found = await repositories.exceptions.get(organizationId, exceptionId);
    if (found === null || !isVisible(caller, found)) throw unknownException();
    await requireCanceller({ storage: repositories }, caller, found);
    const cancelled = await repositories.exceptions.cancel(organizationId, exceptionId, caller.actor);
    if (cancelled === null) throw stateError('exception', found.status);
    await repositories.audit.append({
      organizationId,
      kind: 'exception_cancelled',
      actor: caller.actor,
      subject: exceptionId,
      data: { was: found.status },
    });
    return exceptionRecord(cancelled);
  });
}

export function unknownException(): CodedError {
  return new CodedError('not_found', { message: 'No such exception.' });
}

/** Returns the subject of the exception, without the requester's text. */
export function auditData(exception: Exception): JsonObject {
  return {
    device_id: exception.deviceId,
    project_id: exception.projectId,
    destination_host: recordableText(exception.destinationHost),
    policy_id: recordableText(exception.policyId),
    threat: recordableText(exception.threat),
    requested_minutes: exception.requestedMinutes,
  };
}
