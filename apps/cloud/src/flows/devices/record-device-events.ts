import {
  type DecidedBy,
  type DeviceEvent,
  type DeviceEventsReply,
  deviceEventSchema,
  type ThreatType,
} from '@csg/shared/contract';
import type { RulesetInput } from '@csg/shared/detection';
import Schema from 'typebox/schema';
import type { DecisionRecord, Storage, WebhookRoute } from '../../storage/storage.ts';
import { decisionWebhooks } from '../../webhooks/outbound/decision-webhooks.ts';
import { routeDeliveries } from '../../webhooks/outbound/route-deliveries.ts';
import type { Clock } from '../clock.ts';
import { withHostTag } from '../decision/host-tag.ts';
import { decidedByPreset } from '../decision/record-decision.ts';
import type { DeviceContext } from './device-config.ts';

export interface DeviceEventsDeps {
  readonly storage: Pick<Storage, 'decisions' | 'events'>;
  readonly clock: Clock;
}

/** The source of events, and the project's webhooks to notify. */
export type EventsContext = DeviceContext & {
  readonly keyId: string;
  readonly webhooks: readonly WebhookRoute[];
  readonly ruleset: Pick<RulesetInput, 'useCase' | 'strictness'>;
};

/** Device clocks may be wrong; an event outside this range gets its time of arrival. */
const MAX_AHEAD_MS = 5 * 60_000;
const MAX_AGE_MS = 400 * 86_400_000;

/** Events that are recorded in one turn of the event loop. */
const TOGETHER = 50;

type ReadEvent = { readonly event: DeviceEvent } | { readonly message: string };

/**
 * Records decisions made on the device: each becomes an event and an audit row exactly once, even if sent repeatedly.
 * An invalid event does not affect the others. Rejects only if nothing can be stored.
 */
export async function recordDeviceEvents(
  deps: DeviceEventsDeps,
  context: EventsContext,
  events: readonly unknown[],
  requestId: string,
): Promise<DeviceEventsReply> {
  const nowMs = deps.clock.now();
  const accepted: string[] = [];
  const rejected: DeviceEventsReply['rejected'] = [];
  const record = async (sent: unknown, index: number): Promise<void> => {
    const read = readEvent(sent);
    const message =
      'message' in read
        ? read.message
        : await store(deps, context, toRecord(context, read.event, requestId, nowMs));
    if (message !== null) rejected.push({ index, event_id: idOf(sent), message });
    else if ('event' in read) accepted.push(read.event.event_id);
  };
  for (let from = 0; from < events.length; from += TOGETHER)
    await Promise.all(events.slice(from, from + TOGETHER).map((sent, at) => record(sent, from + at)));
  rejected.sort((a, b) => a.index - b.index);
  return { accepted: [...new Set(accepted)], rejected };
}

/** Returns null if the event is stored, now or before; else why it can never be stored. */
async function store(
  deps: DeviceEventsDeps,
  context: DeviceContext,
  record: DecisionRecord,
): Promise<string | null> {
  try {
    await deps.storage.decisions.record(record);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'rejected') throw error;
    return 'This event cannot be stored.';
  }
  // Event ids are unique over all organizations: an event of another device must not be taken for this one's.
  const stored = await deps.storage.events.get(context.organizationId, record.event.id);
  return stored?.deviceId === context.deviceId ? null : 'This event_id belongs to another event.';
}

function readEvent(sent: unknown): ReadEvent {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    return { message: 'An event must be an object.' };
  }
  if (Schema.Check(deviceEventSchema, sent)) {
    return { event: sent };
  }
  const [, [error]] = Schema.Errors(deviceEventSchema, sent);
  const field = error?.instancePath.slice(1).replaceAll('/', '.') ?? '';
  return {
    message: `${field === '' ? 'The event' : field} ${error?.message ?? 'is not valid'}.`.slice(0, 300),
  };
}

function idOf(sent: unknown): string | null {
  const id = (sent as { event_id?: unknown } | null)?.event_id;
  return typeof id === 'string' ? id.slice(0, 64) : null;
}

/** Returns the time that the device reported, and that time or, if it is implausible, the time of arrival. */
function timesOf({ at }: DeviceEvent, nowMs: number): { readonly reportedMs: number; readonly atMs: number } {
  const reportedMs = at === undefined ? nowMs : Date.parse(at);
  const isPossible = reportedMs > nowMs - MAX_AGE_MS && reportedMs < nowMs + MAX_AHEAD_MS;
  return { reportedMs, atMs: isPossible ? reportedMs : nowMs };
}

function findingsOf({ findings = [] }: DeviceEvent): DecisionRecord['event']['findings'] {
  return findings.map((finding) => ({
    rule: finding.rule,
    type: finding.type,
    path: finding.path ?? '',
    role: 'user',
    start: finding.start,
    end: finding.end,
    confidence: finding.confidence,
  }));
}

/** Optional fields of an event, as recorded in the chain. */
function reportedFields(event: DeviceEvent): Record<string, unknown> {
  return {
    ...(event.destination_host === undefined ? {} : { destination_host: event.destination_host }),
    ...(event.reason === undefined ? {} : { reason: event.reason }),
    ...(event.decided_by === undefined ? {} : { decided_by: event.decided_by }),
    ...(event.judged_by === undefined ? {} : { judged_by: event.judged_by }),
    ...(event.done === undefined ? {} : { done: event.done }),
    ...(event.exception_id === undefined ? {} : { exception_ids: [event.exception_id] }),
    ...(event.policy_version === undefined ? {} : { policy_version: event.policy_version }),
  };
}

function toRecord(
  context: EventsContext,
  event: DeviceEvent,
  requestId: string,
  nowMs: number,
): DecisionRecord {
  const { reportedMs, atMs } = timesOf(event, nowMs);
  const direction = event.direction ?? 'input';
  const threatType: ThreatType | null = event.threat_type ?? null;
  const failMode = event.fail_mode ?? null;
  return {
    ...noticesOf(context, event, atMs),
    event: {
      id: event.event_id,
      organizationId: context.organizationId,
      projectId: context.projectId,
      keyId: context.keyId,
      deviceId: context.deviceId,
      requestId,
      direction,
      route: 'device',
      model: event.model ?? null,
      decision: event.decision,
      threatType,
      confidence: event.confidence ?? 0,
      findings: findingsOf(event),
      unscanned: [],
      failed: failMode === null ? null : { reason: event.reason ?? 'device', failMode },
      latencyUs: Math.round((event.latency_ms ?? 0) * 1000),
      atMs,
      tags: withHostTag([], event.destination_host),
      decidedBy: decidedBy(context, event),
      ...(event.judged_by === undefined ? {} : { evaluatedBy: event.judged_by }),
    },
    audit: {
      kind: event.decision === 'block' ? 'policy_block' : 'policy_allow',
      actor: context.deviceId,
      subject: event.event_id,
      atMs: nowMs,
      data: {
        decision: event.decision,
        direction,
        route: 'device',
        project_id: context.projectId,
        threat_type: threatType,
        decided_at_ms: atMs,
        ...(atMs === reportedMs ? {} : { device_clock_ms: Number.isFinite(reportedMs) ? reportedMs : null }),
        ...reportedFields(event),
        ...(failMode === null ? {} : { scan_failed: true, fail_mode: failMode }),
      },
    },
  };
}

function decidedBy({ ruleset }: EventsContext, { exception_id, fail_mode }: DeviceEvent): DecidedBy {
  if (exception_id !== undefined) return { kind: 'exception', id: exception_id };
  if (fail_mode !== undefined) return { kind: 'setting', id: 'fail_mode' };
  return decidedByPreset(ruleset);
}

function noticesOf(
  context: EventsContext,
  event: DeviceEvent,
  atMs: number,
): Pick<DecisionRecord, 'notices'> {
  if (context.webhooks.length === 0 || context.projectId === null) return {};
  const confidence = event.confidence ?? 0;
  const type = event.threat_type ?? null;
  const notices = decisionWebhooks({
    eventId: event.event_id,
    atMs,
    projectId: context.projectId,
    direction: event.direction ?? 'input',
    verdict: {
      decision: event.decision,
      confidence,
      threatType: type,
      threats: type === null ? [] : [{ type, confidence, details: 'Decided on the device.' }],
    },
    masked: { types: [], count: 0 },
    model: event.model ?? null,
    ipAddress: null,
    reason: 'Decided on the device.',
  });
  return { notices: routeDeliveries(notices, context.webhooks) };
}
