import { CodedError, type CreateToolRequest, type ToolRequestRecord } from '@csg/shared/contract';
import { recordableText } from '@csg/shared/text';
import type { Admin, Caller } from '../../access/caller.ts';
import type { JsonObject, Storage, ToolRequest } from '../../storage/storage.ts';
import {
  isVisible,
  requesterOf,
  requireApprover,
  requireCanceller,
  requireFewPending,
  stateError,
} from './participants.ts';
import { toolRequestRecord } from './records.ts';

export interface ToolRequestDeps {
  readonly storage: Pick<Storage, 'toolRequests' | 'devices' | 'transaction'>;
}

/** Requests that a blocked AI tool be allowed. */
export async function requestTool(
  deps: ToolRequestDeps,
  caller: Caller,
  request: CreateToolRequest,
): Promise<ToolRequestRecord> {
  const requester = await requesterOf(deps, caller);
  const { organizationId, deviceId } = caller;
  return deps.storage.transaction(async (repositories) => {
    if (deviceId !== null) {
      requireFewPending(await repositories.toolRequests.countPending(organizationId, deviceId));
    }
    const made = await repositories.toolRequests.insert(organizationId, {
      ...requester,
      requestedHost: request.requested_host,
      requestedName: request.requested_name || null,
      justification: request.justification ?? null,
      eventId: request.event_id || null,
    });
    await repositories.audit.append({
      organizationId,
      kind: 'tool_request_created',
      actor: caller.actor,
      subject: made.id,
      data: auditData(made),
    });
    return toolRequestRecord(made);
  });
}

/** Cancels a pending request, or revokes an approval. */
export async function cancelToolRequest(
  deps: { readonly storage: Pick<Storage, 'transaction'> },
  caller: Caller,
  requestId: string,
): Promise<ToolRequestRecord> {
  const { organizationId } = caller;
  return deps.storage.transaction(async (repositories) => {
    const found = await repositories.toolRequests.get(organizationId, requestId);
    if (found === null || !isVisible(caller, found)) throw unknownRequest();
    await requireCanceller({ storage: repositories }, caller, found);
    const cancelled = await repositories.toolRequests.cancel(organizationId, requestId, caller.actor);
    if (cancelled === null) throw stateError('tool request', found.status);
    await repositories.audit.append({
      organizationId,
      kind: 'tool_request_cancelled',
      actor: caller.actor,
      subject: requestId,
      data: { was: found.status },
    });
    return toolRequestRecord(cancelled);
  });
}

export async function decideToolRequest(
  deps: { readonly storage: Pick<Storage, 'transaction'> },
  approver: Admin,
  requestId: string,
  verdict: { readonly approve: boolean; readonly reason?: string },
): Promise<ToolRequestRecord> {
  const { organizationId } = approver;
  return deps.storage.transaction(async (repositories) => {
    const found = await repositories.toolRequests.get(organizationId, requestId);
    if (found === null) throw unknownRequest();
    await requireApprover({ storage: repositories }, approver, found);
    if (found.status !== 'pending') throw stateError('tool request', found.status);
    const decided = await repositories.toolRequests.decide(organizationId, requestId, {
      approve: verdict.approve,
      decidedBy: approver.id,
      reason: verdict.reason ?? null,
    });
    if (decided === null) throw stateError('tool request', 'decided');
    await repositories.audit.append({
      organizationId,
      kind: verdict.approve ? 'tool_request_approved' : 'tool_request_denied',
      actor: approver.id,
      subject: requestId,
      data: auditData(decided),
    });
    return toolRequestRecord(decided);
  });
}

export function unknownRequest(): CodedError {
  return new CodedError('not_found', { message: 'No such tool request.' });
}

function auditData(request: ToolRequest): JsonObject {
  return {
    device_id: request.deviceId,
    project_id: request.projectId,
    requested_host: recordableText(request.requestedHost),
  };
}
