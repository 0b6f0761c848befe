import type { Decision, Direction, ThreatType } from '@csg/shared/contract';

/** Why something other than the evaluation of a text decided. */
export type DecisionReason =
  /** An approved exception allowed it. */
  | 'exception'
  /** The service gave no verdict. */
  | 'offline'
  /** A text was too large for the service. */
  | 'too_large'
  /** A part could not be read. */
  | 'unread'
  /** Two parsers could read it differently. */
  | 'ambiguous'
  | 'blocked_tool'
  /** No certificate was available to open the connection. */
  | 'no_certificate'
  /** The app does not accept the agent's certificate. */
  | 'pinned'
  /** Text to be masked could not be masked. */
  | 'unwritable';

/** The position of a rule's match. Never its text. */
export interface EventFinding {
  readonly rule: string;
  readonly type: ThreatType;
  /** Path of the text in a body of a known format; empty otherwise, because names may be a user's own words. */
  readonly path: string;
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
  readonly confidence: number;
}

/** One recorded decision. Contains positions and reasons, never text. */
export interface DecisionEvent {
  /** The service's id if it evaluated; otherwise created on the device. */
  readonly eventId: string;
  readonly atMs: number;
  readonly host: string;
  /** Without the query. */
  readonly path: string;
  readonly method: string;
  readonly direction: Direction;
  readonly decision: Decision;
  /** The action that was performed: in monitor mode, or by an exception, everything is forwarded. */
  readonly done: 'forwarded' | 'redacted' | 'blocked';
  /** Events decided by `cloud` are already known to the service; all others have to be reported. */
  readonly decidedBy: 'cloud' | 'device' | 'policy';
  readonly threatType: ThreatType | null;
  readonly confidence: number;
  /** Null if all texts were read and evaluated. */
  readonly reason: DecisionReason | null;
  /** The reason in words for the user of this computer; may name what an app sent, so it stays here. */
  readonly note: string | null;
  readonly policyVersion: string;
  /** Set only if the device decided. */
  readonly findings: readonly EventFinding[];
  /** The exception that changed this decision. */
  readonly exceptionId: string | null;
}
