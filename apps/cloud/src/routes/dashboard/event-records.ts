import type { EventDetail, EventQuery, EventSummary, FalseAlarms } from '@csg/shared/contract';
import type { Names } from '../../flows/insight/read-names.ts';
import type { EventFilter, EventMark, SecurityEvent } from '../../storage/storage.ts';

export function eventSummary(event: SecurityEvent): EventSummary {
  return {
    id: event.id,
    at: new Date(event.atMs).toISOString(),
    direction: event.direction,
    route: event.route,
    model: event.model,
    decision: event.decision,
    threat_type: event.threatType,
    confidence: event.confidence,
    project_id: event.projectId,
    key_id: event.keyId,
    device_id: event.deviceId,
    failed: event.failed !== null,
  };
}

export function eventDetail(event: SecurityEvent, mark: EventMark | null, names: Names): EventDetail {
  return {
    ...eventSummary(event),
    request_id: event.requestId,
    latency_ms: event.latencyUs / 1000,
    project_name: names.find(event.projectId),
    key_name: names.find(event.keyId),
    device_name: names.find(event.deviceId),
    findings: [...event.findings],
    unscanned: [...event.unscanned],
    judged_by: event.judgedBy ?? null,
    failure: event.failed && { reason: event.failed.reason, fail_mode: event.failed.failMode },
    mark: mark && markRecord(mark, names),
  };
}

export function markRecord(mark: EventMark, names: Names): NonNullable<EventDetail['mark']> {
  return {
    note: mark.note,
    marked_by: mark.markedBy,
    marked_by_name: names.find(mark.markedBy),
    marked_at: new Date(mark.createdAtMs).toISOString(),
  };
}

export function falseAlarm(mark: EventMark, names: Names): FalseAlarms['marks'][number] {
  const strongest = mark.event.findings.toSorted((a, b) => b.confidence - a.confidence);
  return {
    event: eventSummary(mark.event),
    rules: [...new Set(strongest.map(({ rule }) => rule))],
    mark: markRecord(mark, names),
  };
}

export function eventFilter(query: EventQuery): EventFilter {
  return {
    ...(query.decision === undefined ? {} : { decision: query.decision }),
    ...(query.threat_type === undefined ? {} : { threatType: query.threat_type }),
    ...(query.direction === undefined ? {} : { direction: query.direction }),
    ...(query.project_id === undefined ? {} : { projectId: query.project_id }),
    ...(query.key_id === undefined ? {} : { keyId: query.key_id }),
    ...(query.device_id === undefined ? {} : { deviceId: query.device_id }),
    ...(query.from === undefined ? {} : { fromMs: Date.parse(query.from) }),
    ...(query.to === undefined ? {} : { toMs: Date.parse(query.to) }),
  };
}
