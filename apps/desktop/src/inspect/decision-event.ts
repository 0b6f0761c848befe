import type { Decision, Direction, ThreatType } from '@csg/shared/contract';

/** One decision, for the record. Holds places and reasons, never text. */
export interface DecisionEvent {
  /** The service's id where it judged; made on the device where the device did. */
  readonly eventId: string;
  readonly atMs: number;
  readonly host: string;
  /** Without its query. */
  readonly path: string;
  readonly method: string;
  readonly direction: Direction;
  readonly decision: Decision;
  /** What was really done: a device that only monitors, or an exception, lets everything through. */
  readonly done: 'forwarded' | 'redacted' | 'blocked';
  /** Events that the `cloud` decided are known there already; all others have to be reported. */
  readonly decidedBy: 'cloud' | 'device' | 'policy';
  readonly threatType: ThreatType | null;
  readonly confidence: number;
  /** Why nobody could judge, or what was passed over; null where all texts were read and judged. */
  readonly note: string | null;
  readonly policyVersion: string;
  /** Ids of the rules that counted; only where the device decided. */
  readonly rules: readonly string[];
  readonly isException: boolean;
}
