import {
  type EventDetail,
  type EventSummary,
  eventSummarySchema,
  type FalsePositives,
} from '@csg/shared/contract';
import type { NameDecider } from '../../flows/insight/read-deciders.ts';
import type { Names } from '../../flows/insight/read-names.ts';
import type { EventFinding, FalsePositive, SecurityEvent } from '../../storage/storage.ts';
import { isoTime } from '../../wire/iso-time.ts';
import { wireOf } from '../../wire/wire-of.ts';

const shownEvent = wireOf(eventSummarySchema, 'failed', 'decided_by', 'session', 'tags');

export function eventSummary(event: SecurityEvent, nameDecider: NameDecider): EventSummary {
  return {
    ...shownEvent(event),
    failed: event.failed !== null,
    decided_by: nameDecider(event),
    session: event.session ?? null,
    tags: [...(event.tags ?? [])],
  };
}

export function eventDetail(
  event: SecurityEvent,
  feedback: FalsePositive | null,
  names: Names,
  nameDecider: NameDecider,
  withheldTexts: EventDetail['withheld_texts'],
): EventDetail {
  return {
    ...eventSummary(event, nameDecider),
    request_id: event.requestId,
    latency_ms: event.latencyUs / 1000,
    project_name: names.find(event.projectId),
    key_name: names.find(event.keyId),
    device_name: names.find(event.deviceId),
    findings: event.findings.map(shownFinding),
    can_allow_text: event.findings.some(({ textKey }) => textKey !== undefined),
    withheld_texts: withheldTexts,
    unscanned: [...event.unscanned],
    judged_by: event.evaluatedBy ?? null,
    failure: event.failed && { reason: event.failed.reason, fail_mode: event.failed.failMode },
    mark: feedback && markRecord(feedback, names),
  };
}

const shownFinding = ({ rule, type, path, role, start, end, confidence, ...done }: EventFinding) => ({
  ...{ rule, type, path, role, start, end, confidence },
  withheld: done.isWithheld === true,
  report_only: done.reportOnly === true,
  ...(done.tool !== undefined && { tool: done.tool }),
});

function markRecord(feedback: FalsePositive, names: Names): NonNullable<EventDetail['mark']> {
  return {
    id: feedback.id,
    allow_text: feedback.allowText,
    status: feedback.status,
    note: feedback.justification,
    marked_by: feedback.requestedBy,
    marked_by_name: names.find(feedback.requestedBy),
    marked_at: isoTime(feedback.createdAtMs),
    decided_by_name: names.find(feedback.decidedBy),
    decided_at: feedback.decidedAtMs === null ? null : isoTime(feedback.decidedAtMs),
    decision_reason: feedback.decisionReason,
  };
}

export function falsePositive(
  feedback: FalsePositive,
  names: Names,
  nameDecider: NameDecider,
): FalsePositives['marks'][number] {
  const strongest = feedback.event.findings.toSorted((a, b) => b.confidence - a.confidence);
  return {
    event: eventSummary(feedback.event, nameDecider),
    rules: [...new Set(strongest.map(({ rule }) => rule))],
    mark: markRecord(feedback, names),
  };
}
