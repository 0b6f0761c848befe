import type { Decision, Direction, ThreatType } from '@csg/shared/contract';

/** Why it was decided otherwise than by what a text says. */
export type DecisionReason =
  /** An approved exception let it through. */
  | 'exception'
  /** The service gave no verdict. */
  | 'offline'
  /** A text was too large for the service. */
  | 'too_large'
  /** Not all of it could be read. */
  | 'unread'
  /** Two readers could read it differently. */
  | 'ambiguous'
  | 'blocked_tool'
  /** There was no certificate to open the connection with. */
  | 'no_certificate'
  /** The app does not accept the certificate of the agent. */
  | 'pinned'
  /** What was to be masked could not be. */
  | 'unwritable';

/** Where a rule fired. Never what it matched. */
export interface EventFinding {
  readonly rule: string;
  readonly type: ThreatType;
  /** Of the text in a body of a known shape; empty elsewhere, where names may be a person's own words. */
  readonly path: string;
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
  readonly confidence: number;
}

/** One decision, for the record. Holds places and reasons, never text. */
export interface DecisionEvent {
  /** The service's id where it evaluated; made on the device where the device did. */
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
  /** Null where all texts were read and evaluated. */
  readonly reason: DecisionReason | null;
  /** The same in words for a person of this computer; may name what an app sent, so it stays here. */
  readonly note: string | null;
  readonly policyVersion: string;
  /** Only where the device decided. */
  readonly findings: readonly EventFinding[];
  /** The exception that changed this decision. */
  readonly exceptionId: string | null;
}
