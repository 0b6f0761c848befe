import type { DigitGroups } from './digit-groups.ts';
import type { PiiSpan } from './spans.ts';

/** How much text around a place takes part in what is recognized there. UTF-16 units. */
export interface LookAhead {
  /** How far before the place a value may begin. */
  readonly before: number;
  /** How far after the place text may still change the result; Infinity: up to the end of the text. */
  readonly after: number;
  /** What ends a value that continues for longer; absent: none does. */
  readonly endsAt?: 'a character outside the value' | 'the end of the line';
}

/** What was recognized at a place. */
export interface Recognized {
  readonly span?: PiiSpan;
  /** Where the walk continues. */
  readonly next: number;
}

/** One walk over a text: what recognizers know of it besides the place. */
export interface Walk {
  readonly text: string;
  /** The codes of `text`. */
  readonly codes: Uint16Array;
  /** Where the last value ends: the next one begins there or later. */
  floor: number;
  /** Where the next known key begins: a value ends there or earlier. */
  ceiling: number;
  /** Something in the text indicates addresses that are spelled out. */
  isSpelled: boolean;
  /** Costly checks of phone numbers that are left. */
  phoneValidations: number;
  /** Filled again for every number. */
  groups?: DigitGroups;
  /** The last number, which more of its kind may follow. */
  list?: NumberList;
}

export interface NumberList {
  /** What named it. */
  readonly lead: string;
  /** Characters from its first digit on. */
  readonly size: number;
  readonly end: number;
}

/** Recognizes one kind of value wherever one of its characters stands. */
export interface Recognizer {
  /** Characters that a value begins with or has in its middle; `find` is called at each. */
  readonly starts: string;
  /** What is recognized at `at`. Nothing may be kept but in the walk. */
  readonly find: (walk: Walk, at: number) => Recognized | undefined;
  /** What is recognized only once the whole text was walked. */
  readonly finish?: (walk: Walk) => readonly PiiSpan[];
  readonly lookAhead: LookAhead;
}

/** A type of personal data or secrets: a row of the registry. */
export interface SensitiveRow {
  readonly type: string;
  /** What redaction writes in place of a value. */
  readonly placeholder: `[${string}]`;
  /** One sentence for a person; without the value. */
  readonly reason: string;
  /** Several types may share a recognizer that tells them apart. Secrets have their own walk, which comes first. */
  readonly recognizers: readonly Recognizer[];
}
