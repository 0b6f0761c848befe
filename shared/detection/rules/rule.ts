import type { ThreatType } from '../../contract/index.ts';
import type { SlotRole } from '../../text/index.ts';

/** One rule as data. Patterns are RE2 syntax, tried on cleaned lower-case text with runs of white space as one blank. */
export interface Rule {
  readonly id: string;
  readonly type: ThreatType;
  /** Also a JavaScript expression: bounded gaps only, so that locating a match stays cheap. */
  readonly pattern: string;
  /** Stems of which one must be in the text before the pattern is tried. */
  readonly keywords: readonly string[];
  /** 0..1. What fires alone in a default project has 0.8 and more. */
  readonly confidence: number;
  readonly reason: string;
  /** Whose text it is about; absent: the user's and data's. */
  readonly roles?: readonly SlotRole[];
  /** In answers too. */
  readonly output?: boolean;
  readonly match: readonly string[];
  readonly noMatch: readonly string[];
}
