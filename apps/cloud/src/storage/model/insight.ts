import type { Decision, Direction, FeedbackStatus, ThreatType } from '@csg/shared/contract';
import { flag, hidden, json, number, orNull, type RecordOf, table, text, word } from '../table.ts';
import type { EventFilter, SecurityEvent } from './events.ts';

/** Number of events of one kind in a span. */
export interface EventCount {
  readonly decision: Decision;
  readonly threatType: ThreatType | null;
  readonly count: number;
  /** How many of them have a scan that could not run. */
  readonly failed: number;
}

export interface EventCounts {
  /** Counts by decision and threat type. Reads every event of the span: keep spans short. */
  count(
    organizationId: string,
    span: {
      readonly fromMs: number;
      readonly toMs: number;
      readonly projectId?: string;
      readonly direction?: Direction;
    },
  ): Promise<readonly EventCount[]>;
  /** Counts events with findings. */
  countFound(
    organizationId: string,
    span: { readonly fromMs: number; readonly toMs: number; readonly projectId?: string },
  ): Promise<number>;
  /** Durations of the newest scans in microseconds, at most `limit` values. */
  latenciesUs(organizationId: string, filter: EventFilter, limit: number): Promise<readonly number[]>;
}

/** A person's report that a decision was wrong because the text was harmless. */
export const eventFeedbackTable = table({
  /** `fbk_…`. */
  id: text,
  eventId: text,
  note: orNull(text),
  /** Id of a user, of a device, or of a key without an owner. */
  markedBy: text,
  requesterUserId: orNull(text),
  /** True: the texts that decided the event are to be allowed in the future. */
  allowText: flag,
  status: word<FeedbackStatus>(),
  decidedBy: orNull(text),
  decisionReason: orNull(text),
  decidedAtMs: orNull(number),
  /** The event as it was recorded, because events are pruned. */
  event: json<SecurityEvent>(),
  createdAtMs: number,
  organizationId: hidden(text),
  projectId: hidden(orNull(text)),
});
export type EventFeedback = RecordOf<typeof eventFeedbackTable>;

export interface EventFeedbackStore {
  /**
   * Creates the feedback or replaces its fields. The id stays the same, and so does a decision about its texts unless
   * approval is requested again.
   */
  set(
    organizationId: string,
    feedback: Pick<
      EventFeedback,
      'eventId' | 'note' | 'markedBy' | 'requesterUserId' | 'allowText' | 'status' | 'event'
    >,
  ): Promise<EventFeedback>;
  get(organizationId: string, eventId: string): Promise<EventFeedback | null>;
  find(organizationId: string, feedbackId: string): Promise<EventFeedback | null>;
  /** Decides in one statement: of two concurrent callers one wins. null: missing, or no longer pending. */
  decide(
    organizationId: string,
    feedbackId: string,
    decision: { readonly approve: boolean; readonly decidedBy: string; readonly reason: string | null },
  ): Promise<EventFeedback | null>;
  /** Newest first, at most 500. */
  list(
    organizationId: string,
    filter?: { readonly projectId?: string; readonly status?: FeedbackStatus; readonly limit?: number },
  ): Promise<readonly EventFeedback[]>;
  /** false: there was no feedback. */
  remove(organizationId: string, eventId: string): Promise<boolean>;
}

/** `run_…`: one run of all security tests, with its report. */
export const securityTestRunTable = table({
  id: text,
  targetPreset: text,
  /** A user's id. */
  startedBy: text,
  durationMs: number,
  /** JSON in the format of the flow that stores it. */
  report: text,
  createdAtMs: number,
  organizationId: hidden(text),
});
export type SecurityTestRun = RecordOf<typeof securityTestRunTable>;

export interface SecurityTestRuns {
  insert(organizationId: string, run: Omit<SecurityTestRun, 'id' | 'createdAtMs'>): Promise<SecurityTestRun>;
  get(organizationId: string, runId: string): Promise<SecurityTestRun | null>;
  /** Newest first, at most 50. */
  list(organizationId: string): Promise<readonly SecurityTestRun[]>;
}
