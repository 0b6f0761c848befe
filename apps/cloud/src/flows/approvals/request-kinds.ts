import {
  CodedError,
  type ExceptionRecord,
  exceptionSchema,
  type Feedback,
  PENDING_DAYS,
  type RequestKind,
  THREAT_TYPES,
  type ThreatType,
  type ToolRequestRecord,
  type ToolReviewRecord,
  toolRequestSchema,
  toolReviewSchema,
} from '@csg/shared/contract';
import { coversThreat } from '@csg/shared/detection';
import { recordableText, visibleText } from '@csg/shared/text';
import type { EventFinding, Exception, JsonObject, Repositories, RequestOf } from '../../storage/storage.ts';
import { isoTime } from '../../wire/iso-time.ts';
import { wireOf } from '../../wire/wire-of.ts';

/** What a person decided, as the routes and commands take it. */
export interface Verdict {
  readonly approve: boolean;
  /** Shown to the requester. */
  readonly reason?: string | null | undefined;
  /** Of an exception: fewer minutes than requested. */
  readonly minutes?: number | undefined;
  /** Of an exception: one of the threat types that it was requested for. */
  readonly threat?: string | undefined;
}

/** Records of the routes that each kind has for itself. */
interface KindRecords {
  exception: ExceptionRecord;
  tool_request: ToolRequestRecord;
  tool_review: ToolReviewRecord;
  false_positive: Feedback;
}

/** What is particular about one kind of request; the flow of all kinds is the same. */
export interface KindRow<K extends RequestKind> {
  /** As in `This exception is already approved.` */
  readonly name: string;
  readonly missing: string;
  /** What is requested, in words. */
  what(request: RequestOf<K>): string;
  /** The sentence that announces it, without its full stop; default: that `who`, the person behind it, requests it. */
  announce?(request: RequestOf<K>, who: string): string;
  host(request: RequestOf<K>): string | null;
  /** The record of the kind's own routes. */
  record(request: RequestOf<K>): KindRecords[K];
  /** The fields that only this kind has, for those who decide. */
  details(request: RequestOf<K>): object;
  /** Approvers are told that it waits, and requesters that it was decided. */
  readonly isAnnounced: boolean;
  /** How long it waits for a decision; null: until there is one. */
  readonly waitsMs: number | null;
  /** How long a decision applies; null: until it is cancelled. Throws `invalid_request`. */
  appliesMs(request: RequestOf<K>, verdict: Verdict): number | null;
  /** The threat type that an approval is narrowed to. Throws `invalid_request`. */
  narrowedTo?(request: RequestOf<K>, verdict: Verdict): string | undefined;
  /** An agent is the requester, so the admin whose key it uses may decide. */
  readonly isForRequester: boolean;
  /** Organization tokens may decide it. */
  readonly isForTokens: boolean;
  /** Kinds of its audit rows; a kind without `cancelled` is not cancelled, one without `expired` ends silently. */
  readonly audit: {
    readonly created: string;
    readonly approved: string;
    readonly denied: string;
    readonly cancelled?: string;
    readonly expired?: string;
  };
  /** Subject of its audit rows. */
  subject(request: RequestOf<K>): string;
  /** What its audit rows say of it, without the requester's text. */
  data(request: RequestOf<K>): JsonObject;
  /** What follows from a decision, in its transaction; returns what the audit row says of it. */
  follow(
    repositories: Repositories,
    request: RequestOf<K>,
    organizationId: string,
  ): Promise<JsonObject> | JsonObject;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const exceptionRecord = wireOf(exceptionSchema, 'all_findings');

/** What an exception covers, in words. */
function scopeText({ threat, allFindings = true, policyId }: Exception): string {
  const findings =
    threat !== null
      ? `${visibleText(threat.replaceAll('_', ' '))} findings`
      : allFindings
        ? 'all findings, also personal data and secrets,'
        : 'findings of attacks';
  return policyId === null ? findings : `${findings} that the policy ${visibleText(policyId)} decides,`;
}

const exception: KindRow<'exception'> = {
  name: 'exception',
  missing: 'No such exception.',
  what: (request) =>
    `an exception for ${scopeText(request)} in texts to ${request.destinationHost} (${request.requestedMinutes} minutes)`,
  host: ({ destinationHost }) => destinationHost,
  record: (request) => ({
    ...exceptionRecord(request),
    all_findings: request.threat === null && request.allFindings !== false,
  }),
  details: ({ destinationHost, policyId, threat, allFindings, reasonCategory, requestedMinutes }) => ({
    destination_host: destinationHost,
    policy_id: policyId,
    threat,
    all_findings: threat === null && allFindings !== false,
    reason_category: reasonCategory,
    requested_minutes: requestedMinutes,
  }),
  isAnnounced: true,
  waitsMs: PENDING_DAYS * DAY_MS,
  appliesMs({ requestedMinutes }, { approve, minutes = requestedMinutes }) {
    if (!Number.isInteger(minutes) || minutes < 1 || minutes > requestedMinutes) {
      throw new CodedError('invalid_request', {
        message: `An approval is valid for 1 to ${requestedMinutes} minutes, up to the requested duration.`,
      });
    }
    return approve ? minutes * MINUTE_MS : null;
  },
  narrowedTo(request, { approve, threat }) {
    if (!approve || threat === undefined) return undefined;
    if (THREAT_TYPES.includes(threat as ThreatType) && coversThreat(request, threat)) return threat;
    throw new CodedError('invalid_request', {
      message: `An approval can only narrow what was requested: ${scopeText(request)}.`,
      fields: { param: 'threat' },
    });
  },
  isForRequester: false,
  isForTokens: true,
  audit: {
    created: 'exception_requested',
    approved: 'exception_approved',
    denied: 'exception_denied',
    cancelled: 'exception_cancelled',
    expired: 'exception_expired',
  },
  subject: ({ id }) => id,
  data: ({ deviceId, projectId, destinationHost, policyId, threat, allFindings, requestedMinutes }) => ({
    device_id: deviceId,
    project_id: projectId,
    destination_host: recordableText(destinationHost),
    policy_id: recordableText(policyId),
    threat: recordableText(threat),
    ...(threat === null && { all_findings: allFindings !== false }),
    requested_minutes: requestedMinutes,
  }),
  follow: (_, { startsAtMs, endsAtMs }): JsonObject =>
    startsAtMs === null ? {} : { minutes: (endsAtMs! - startsAtMs) / MINUTE_MS, expires_at_ms: endsAtMs },
};

const toolRequest: KindRow<'tool_request'> = {
  name: 'tool request',
  missing: 'No such tool request.',
  what: ({ requestedName, requestedHost }) =>
    `the AI tool ${visibleText(requestedName ?? requestedHost)} (${requestedHost})`,
  host: ({ requestedHost }) => requestedHost,
  record: wireOf(toolRequestSchema),
  details: ({ requestedHost, requestedName }) => ({
    ...{ requested_host: requestedHost, requested_name: requestedName },
  }),
  isAnnounced: true,
  waitsMs: PENDING_DAYS * DAY_MS,
  appliesMs: () => null,
  isForRequester: false,
  isForTokens: true,
  audit: {
    created: 'tool_request_created',
    approved: 'tool_request_approved',
    denied: 'tool_request_denied',
    cancelled: 'tool_request_cancelled',
    expired: 'tool_request_expired',
  },
  subject: ({ id }) => id,
  data: ({ deviceId, projectId, requestedHost }) => ({
    device_id: deviceId,
    project_id: projectId,
    requested_host: recordableText(requestedHost),
  }),
  follow: () => ({}),
};

const reviewRecord = wireOf(toolReviewSchema, 'expires_at');

const MAX_ANNOUNCED = 500;

/** Under zero retention there are none. */
function shortArguments({ arguments: given }: RequestOf<'tool_review'>): string {
  if (given === null) return '';
  const text = JSON.stringify(given);
  return ` with ${text.length > MAX_ANNOUNCED ? `${text.slice(0, MAX_ANNOUNCED)} … (cut)` : text}`;
}

const toolReview: KindRow<'tool_review'> = {
  name: 'tool call',
  missing: 'No such tool call review.',
  what: ({ toolName }) => `the tool call ${visibleText(toolName)}`,
  announce: (review, who) =>
    `The agent ${review.agentId}, with a key of ${who}, requests ${toolReview.what(review)}${shortArguments(review)}`,
  host: () => null,
  record: (review): ToolReviewRecord => ({ ...reviewRecord(review), expires_at: isoTime(review.endsAtMs) }),
  details: ({ agentId, sessionId, toolName, reason, arguments: given }) => ({
    ...{ agent_id: agentId, session_id: sessionId, tool_name: toolName, reason, arguments: given },
  }),
  isAnnounced: true,
  waitsMs: DAY_MS,
  appliesMs: () => HOUR_MS,
  isForRequester: true,
  isForTokens: true,
  audit: {
    created: 'tool_review_created',
    approved: 'tool_review_approved',
    denied: 'tool_review_denied',
  },
  subject: ({ id }) => id,
  data: ({ projectId, toolName }) => ({ project_id: projectId, tool_name: recordableText(toolName) }),
  follow: () => ({}),
};

const falsePositive: KindRow<'false_positive'> = {
  name: 'feedback',
  missing: 'No such feedback.',
  what: ({ event }) => `the texts of the event ${event.id}`,
  host: () => null,
  record: ({ id, eventId, allowText, status }): Feedback => ({
    ...{ id, event_id: eventId, verdict: 'false_positive', allow_text: allowText, status },
  }),
  details: ({ allowText, event }) => ({
    allow_text: allowText,
    rules: [...new Set(event.findings.map(({ rule }) => rule))],
  }),
  isAnnounced: false,
  waitsMs: null,
  appliesMs: () => null,
  isForRequester: false,
  isForTokens: false,
  audit: { created: 'event_marked_fine', approved: 'text_allowed', denied: 'text_denied' },
  subject: ({ eventId }) => eventId,
  data: ({ id, projectId }) => ({ feedback_id: id, project_id: projectId }),
  /** The texts that decided the event are allowed from the next request on. */
  async follow({ allowedTexts }, { event, status, decidedBy }, organizationId) {
    const texts = status === 'approved' ? typesByText(event.findings) : new Map<string, Set<ThreatType>>();
    const scope = { organizationId, projectId: event.projectId };
    for (const [textKey, types] of texts) {
      const allowed = { textKey, threatTypes: [...types], eventId: event.id, approvedBy: decidedBy! };
      await allowedTexts.insert(scope, allowed);
    }
    return { texts: texts.size };
  },
};

function typesByText(findings: readonly EventFinding[]): Map<string, Set<ThreatType>> {
  const types = new Map<string, Set<ThreatType>>();
  for (const { textKey, type } of findings) {
    if (textKey === undefined) continue;
    types.set(textKey, (types.get(textKey) ?? new Set()).add(type));
  }
  return types;
}

const ROWS: { readonly [K in RequestKind]: KindRow<K> } = {
  exception,
  tool_request: toolRequest,
  tool_review: toolReview,
  false_positive: falsePositive,
};

export function rowOf<K extends RequestKind>(kind: K): KindRow<K> {
  return ROWS[kind];
}
