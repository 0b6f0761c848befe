import type { ThreatType } from '../../contract/index.ts';
import type { Reach, SentenceReach } from '../reach.ts';

/**
 * One rule as data. Patterns use RE2 syntax, and run on cleaned lowercase text with each whitespace character as a
 * space.
 */
export interface Rule {
  readonly id: string;
  readonly type: ThreatType;
  /** Also a JavaScript expression: bounded gaps only, so that locating a match stays cheap. */
  readonly pattern: string;
  /** A JavaScript expression for the start of the finding within a match; absent: the start of the match. */
  readonly begins?: string;
  /** Literals one of which occurs in every match: if a text contains none of a set's literals, no pattern runs. */
  readonly keywords: readonly string[];
  /** 0..1. A rule that acts alone in a default project has 0.8 or more. */
  readonly confidence: number;
  /** The signs are the keywords. */
  readonly reach: Reach;
  readonly reason: string;
  readonly match: readonly string[];
  readonly noMatch: readonly string[];
}

/** A rule for responses, which live streams also wait for. */
export interface AnswerRule extends Rule {
  readonly reach: SentenceReach;
}
