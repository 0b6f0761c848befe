import type { Decision, Direction, FeedbackStatus, ThreatType } from '@csg/shared/contract';
import { flag, hidden, json, number, orNull, type RecordOf, table, text, word } from '../table.ts';
import type { EventFilter, SecurityEvent } from './events.ts';

/** How many events of one kind there are in a span. */
export interface EventCount {
  readonly decision: Decision;
  readonly threatType: ThreatType | null;
  readonly count: number;
  /** Of them, those whose scan could not run. */
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
  /** How many events there are in which something was found. */
  countFound(
    organizationId: string,
    span: { readonly fromMs: number; readonly toMs: number; readonly projectId?: string },
  ): Promise<number>;
  /** How long the newest scans took, in microseconds; at most `limit`. */
  latenciesUs(organizationId: string, filter: EventFilter, limit: number): Promise<readonly number[]>;
}

/** A person reports that a decision was wrong: the text was harmless. */
export const eventFeedbackTable = table({
  /** `fbk_…`. */
  id: text,
  eventId: text,
  note: orNull(text),
  /** Id of a user, of a device, or of a key without an owner. */
  markedBy: text,
  requesterUserId: orNull(text),
  /** True: the texts that decided the event are to pass from then on. */
  allowText: flag,
  status: word<FeedbackStatus>(),
  decidedBy: orNull(text),
  decisionReason: orNull(text),
  decidedAtMs: orNull(number),
  /** As it was recorded: the event itself is pruned one day. */
  event: json<SecurityEvent>(),
  createdAtMs: number,
  organizationId: hidden(text),
  projectId: hidden(orNull(text)),
});
export type EventFeedback = RecordOf<typeof eventFeedbackTable>;

export interface EventFeedbackStore {
  /** Makes it, or replaces what it says; the id stays, and so does a decision about its texts unless they are asked for anew. */
  set(
    organizationId: string,
    feedback: Pick<
      EventFeedback,
      'eventId' | 'note' | 'markedBy' | 'requesterUserId' | 'allowText' | 'status' | 'event'
    >,
  ): Promise<EventFeedback>;
  get(organizationId: string, eventId: string): Promise<EventFeedback | null>;
  find(organizationId: string, feedbackId: string): Promise<EventFeedback | null>;
  /** In one statement: of two who decide at once, one wins. null: not there, or no longer pending. */
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
  /** false: there was none. */
  remove(organizationId: string, eventId: string): Promise<boolean>;
}

/** `run_…`: one run of all security tests, as its report said. */
export const securityTestRunTable = table({
  id: text,
  targetPreset: text,
  /** A user's id. */
  startedBy: text,
  durationMs: number,
  /** JSON in the form of the flow that stores it. */
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
