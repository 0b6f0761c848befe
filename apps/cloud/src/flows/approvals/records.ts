import type { ExceptionRecord, ToolRequestRecord } from '@csg/shared/contract';
import type { Exception, ToolRequest } from '../../storage/storage.ts';

export function exceptionRecord(exception: Exception): ExceptionRecord {
  return {
    id: exception.id,
    status: exception.status,
    destination_host: exception.destinationHost,
    policy_id: exception.policyId,
    threat: exception.threat,
    reason_category: exception.reasonCategory,
    justification: exception.justification,
    requested_minutes: exception.requestedMinutes,
    ...decisionFields(exception),
    starts_at: isoTime(exception.startsAtMs),
    expires_at: isoTime(exception.expiresAtMs),
  };
}

export function toolRequestRecord(request: ToolRequest): ToolRequestRecord {
  return {
    id: request.id,
    status: request.status,
    requested_host: request.requestedHost,
    requested_name: request.requestedName,
    justification: request.justification,
    ...decisionFields(request),
  };
}

function decisionFields(decided: Exception | ToolRequest) {
  return {
    device_id: decided.deviceId,
    requested_by: decided.requestedBy,
    decided_by: decided.decidedBy,
    decided_at: isoTime(decided.decidedAtMs),
    decision_reason: decided.decisionReason,
    created_at: new Date(decided.createdAtMs).toISOString(),
  };
}

function isoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
