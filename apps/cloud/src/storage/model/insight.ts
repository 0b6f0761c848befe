import type { Decision, Direction, ThreatType } from '@csg/shared/contract';
import { hidden, number, type RecordOf, table, text } from '../table.ts';
import type { EventFilter } from './events.ts';

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
