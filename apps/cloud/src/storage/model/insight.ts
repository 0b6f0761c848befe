import type { Decision, ThreatType } from '@csg/shared/contract';
import { hidden, json, number, orNull, type RecordOf, table, text } from '../table.ts';
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
    span: { readonly fromMs: number; readonly toMs: number; readonly projectId?: string },
  ): Promise<readonly EventCount[]>;
  /** How many events there are in which something was found. */
  countFound(
    organizationId: string,
    span: { readonly fromMs: number; readonly toMs: number; readonly projectId?: string },
  ): Promise<number>;
  /** How long the newest scans took, in microseconds; at most `limit`. */
  latenciesUs(organizationId: string, filter: EventFilter, limit: number): Promise<readonly number[]>;
}

/** Somebody says of a decision that it was wrong: the text was fine. */
export const eventFeedbackTable = table({
  eventId: text,
  note: orNull(text),
  /** A user's id. */
  markedBy: text,
  /** As it was recorded: the event itself is pruned one day. */
  event: json<SecurityEvent>(),
  createdAtMs: number,
  organizationId: hidden(text),
  projectId: hidden(orNull(text)),
});
export type EventFeedback = RecordOf<typeof eventFeedbackTable>;

export interface EventFeedbackStore {
  /** Makes or replaces it. */
  set(organizationId: string, feedback: Omit<EventFeedback, 'createdAtMs'>): Promise<EventFeedback>;
  get(organizationId: string, eventId: string): Promise<EventFeedback | null>;
  /** Newest first, at most 500. */
  list(
    organizationId: string,
    filter?: { readonly projectId?: string; readonly limit?: number },
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
  /** JSON of whoever keeps it. */
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
