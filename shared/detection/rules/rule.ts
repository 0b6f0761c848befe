import type { ThreatType } from '../../contract/index.ts';

/** One rule as data. Patterns are RE2 syntax, tried on cleaned lower-case text with runs of white space as one blank. */
export interface Rule {
  readonly id: string;
  readonly type: ThreatType;
  /** Also a JavaScript expression: bounded gaps only, so that locating a match stays cheap. */
  readonly pattern: string;
  /** Where in a match the finding begins, as a JavaScript expression; not there: at its beginning. */
  readonly begins?: string;
  /** Literals of which every match holds one: where none of a whole set's is there, no pattern is tried. */
  readonly keywords: readonly string[];
  /** 0..1. What fires alone in a default project has 0.8 and more. */
  readonly confidence: number;
  readonly reason: string;
  readonly match: readonly string[];
  readonly noMatch: readonly string[];
}
