import type { DecidedBy } from '@csg/shared/contract';
import { firstOfEach } from '@csg/shared/text';
import { prepareEntry } from '../audit/chain.ts';
import { eventDigest } from '../audit/event-digest.ts';
import type { DecisionRecord, EventFinding, SecurityEvent } from '../model/events.ts';
import { newDeliveryRow } from '../repositories/delivery-rows.ts';
import type { SecurityEventsTable } from '../schema.ts';
import { StorageError } from '../storage-error.ts';
import { dayOf, toStorableText } from '../stored-values.ts';
import type { PreparedDecision } from './batch.ts';
import type { createLabelLimit } from './label-limit.ts';
import type { createModelNames } from './model-names.ts';

/** Clients choose these, so they must not decide how large a row gets. */
const MAX_TEXT = 256;
const MAX_FINDINGS = 100;

export function prepareDecision(
  record: DecisionRecord,
  nowMs: number,
  nameModel: ReturnType<typeof createModelNames>,
  isStored: ReturnType<typeof createLabelLimit>,
): PreparedDecision {
  const { event, audit, usage, notices, call } = record;
  if (
    !Number.isFinite(event.confidence) ||
    !Number.isFinite(event.atMs) ||
    !Number.isFinite(event.latencyUs)
  ) {
    throw new StorageError('rejected', `Event ${event.id} has a number that is none.`);
  }
  const { labels, ...labeled } = withLabels(record, isStored);
  const row = eventToRow({ ...event, ...labeled });
  const data = { ...audit.data, event_sha256: eventDigest(row), project_id: event.projectId };
  const day = dayOf(row.at_ms);
  return {
    event: row,
    day,
    entry: prepareEntry(
      { ...audit, organizationId: event.organizationId, subject: row.id, data },
      event.atMs,
    ),
    usage: usage ?? null,
    usageModel: nameModel(row.organization_id, day, row.model),
    call: call ?? null,
    labels,
    deliveries: (notices ?? []).map((notice) => newDeliveryRow(event.organizationId, notice, nowMs)),
  };
}

/** Returns the labels of an event without those beyond the limit, and those under which its usage is summed. */
function withLabels(
  { event: { session, tags = [], keyId, atMs }, isSessionNamed }: DecisionRecord,
  isStored: ReturnType<typeof createLabelLimit>,
): Pick<SecurityEvent, 'session' | 'tags'> & { readonly labels: readonly string[] } {
  if (tags.length === 0 && isSessionNamed !== true) return { labels: [] };
  const day = dayOf(atMs);
  const isWithin = (label: string): boolean => isStored(keyId ?? '', day, label);
  const named = isSessionNamed === true && session != null ? [`session=${session}`] : [];
  const kept = named.filter(isWithin);
  const keptTags = tags.filter((tag) => isWithin(`tag=${tag}`));
  return {
    ...(kept.length < named.length && { session: null }),
    ...(keptTags.length < tags.length && { tags: keptTags }),
    labels: [...kept, ...keptTags.map((tag) => `tag=${tag}`)],
  };
}

/** Columns in the order of their names: the event's digest is made of them in this order. */
function eventToRow(event: SecurityEvent): SecurityEventsTable {
  return {
    at_ms: Math.trunc(event.atMs),
    confidence: event.confidence,
    decided_by:
      event.decidedBy === undefined ? null : toStorableText(`${event.decidedBy.kind}:${event.decidedBy.id}`),
    decision: event.decision,
    device_id: event.deviceId,
    direction: event.direction,
    failed: event.failed === null ? null : JSON.stringify([event.failed.reason, event.failed.failMode]),
    findings:
      event.findings.length === 0
        ? null
        : JSON.stringify(firstOfEach(event.findings, ({ rule }) => rule, MAX_FINDINGS).map(findingToTuple)),
    id: toStorableText(event.id),
    judged_by: event.evaluatedBy ?? null,
    key_id: event.keyId,
    latency_us: Math.round(event.latencyUs),
    model: cut(event.model),
    organization_id: event.organizationId,
    project_id: event.projectId,
    request_id: cut(event.requestId),
    route: toStorableText(event.route),
    session: cut(event.session ?? null),
    tags: event.tags === undefined || event.tags.length === 0 ? null : JSON.stringify(event.tags.map(cutTag)),
    threat_type: event.threatType,
    unscanned:
      event.unscanned.length === 0
        ? null
        : JSON.stringify(event.unscanned.slice(0, MAX_FINDINGS).map(({ at, reason }) => [at, reason])),
  };
}

const cutTag = (tag: string): string => cut(tag)!;

/** Control characters, and those that change the direction of text: a client can write anything as its model. */
const MISLEADING = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

function cut(text: string | null): string | null {
  return text === null ? null : toStorableText(text.slice(0, MAX_TEXT)).replace(MISLEADING, '\ufffd');
}

/** How a finding was handled, in addition to the decision of its event. */
const NOTHING = 0;
const REPORTED = 1;
const WITHHELD = 2;

/** Stores named fields only, without their names: this is compact and excludes anything a caller adds by mistake. */
function findingToTuple(finding: EventFinding): readonly (string | number)[] {
  return [
    finding.rule,
    finding.type,
    finding.path.slice(0, MAX_TEXT),
    finding.role,
    finding.start,
    finding.end,
    Math.round(finding.confidence * 10_000) / 10_000,
    ...doneAbout(finding),
  ];
}

/** Omits absent values at the end; an absent value before another one is empty. */
function doneAbout({ reportOnly, isWithheld, textKey, tool }: EventFinding): readonly (string | number)[] {
  const done = reportOnly === true ? REPORTED : isWithheld === true ? WITHHELD : NOTHING;
  if (tool !== undefined) return [done, textKey ?? '', tool];
  if (textKey !== undefined) return [done, textKey];
  return done === NOTHING ? [] : [done];
}

export function rowToEvent(row: SecurityEventsTable): SecurityEvent {
  return {
    id: row.id,
    organizationId: row.organization_id,
    projectId: row.project_id,
    keyId: row.key_id,
    deviceId: row.device_id,
    requestId: row.request_id,
    direction: row.direction,
    route: row.route,
    model: row.model,
    decision: row.decision,
    threatType: row.threat_type,
    confidence: row.confidence,
    findings: row.findings === null ? [] : readTuples(row.findings).map(tupleToFinding),
    unscanned:
      row.unscanned === null
        ? []
        : readTuples(row.unscanned).map(
            ([at, reason]) => ({ at, reason }) as SecurityEvent['unscanned'][number],
          ),
    failed: row.failed === null ? null : readFailure(row.failed),
    latencyUs: row.latency_us,
    atMs: row.at_ms,
    ...(row.session === null ? {} : { session: row.session }),
    ...(row.tags === null ? {} : { tags: JSON.parse(row.tags) as string[] }),
    ...(row.judged_by === null ? {} : { evaluatedBy: row.judged_by }),
    ...(row.decided_by === null ? {} : { decidedBy: readDecidedBy(row.decided_by) }),
  };
}

function readDecidedBy(text: string): DecidedBy {
  const colon = text.indexOf(':');
  return { kind: text.slice(0, colon) as DecidedBy['kind'], id: text.slice(colon + 1) };
}

function readTuples(text: string): (string | number)[][] {
  return JSON.parse(text) as (string | number)[][];
}

function tupleToFinding(tuple: (string | number)[]): EventFinding {
  const [rule, type, path, role, start, end, confidence, done, textKey, tool] = tuple;
  return {
    ...{ rule, type, path, role, start, end, confidence },
    ...(done === REPORTED && { reportOnly: true }),
    ...(done === WITHHELD && { isWithheld: true }),
    ...(textKey !== undefined && textKey !== '' && { textKey }),
    ...(tool !== undefined && { tool }),
  } as EventFinding;
}

function readFailure(text: string): SecurityEvent['failed'] {
  const [reason, failMode] = JSON.parse(text) as [string, 'open' | 'closed'];
  return { reason, failMode };
}
