import type { LiveReach } from '../reach.ts';
import type { SecretRecognizer } from '../secrets/secret-recognizer.ts';
import type { DigitGroups } from './digit-groups.ts';
import type { PiiSpan } from './spans.ts';

/** A value recognized at a position. */
export interface Recognized {
  readonly span?: PiiSpan;
  /** The offset at which the pass continues. */
  readonly next: number;
}

/** The state of one pass over a text, shared by all recognizers. */
export interface Walk {
  readonly text: string;
  /** The codes of `text`. */
  readonly codes: Uint16Array;
  /** The end of the last value: the next one begins there or later. */
  floor: number;
  /** The start of the next known key: a value ends there or earlier. */
  ceiling: number;
  /** True if something in the text indicates spelled-out addresses. */
  isSpelled: boolean;
  /** The remaining number of costly phone number validations. */
  phoneValidations: number;
  /** Reused for every number. */
  groups?: DigitGroups;
  /** The last number, which similar ones may follow as a list. */
  list?: NumberList;
}

export interface NumberList {
  /** The words that name it. */
  readonly lead: string;
  /** Its length from the first digit on. */
  readonly size: number;
  readonly end: number;
}

/** Recognizes one kind of value at any of its starting characters. */
export interface Recognizer {
  /** Characters at the beginning or in the middle of a value; `find` is called at each. */
  readonly starts: string;
  /** Returns the value recognized at `at`. All state must be in the walk. */
  readonly find: (walk: Walk, at: number) => Recognized | undefined;
  /** Returns values that are recognized only after the pass over the whole text. */
  readonly finish?: (walk: Walk) => readonly PiiSpan[];
  /** The position is that of the start character. */
  readonly reach: LiveReach;
}

/** A type of personal data or secrets: a row of the registry. */
export interface SensitiveRow {
  readonly type: string;
  /** What redaction writes in place of a value. */
  readonly placeholder: `[${string}]`;
  /** One sentence for a person; without the value. */
  readonly reason: string;
  /** Several types may share a recognizer that distinguishes them. Secrets have their own pass, which comes first. */
  readonly recognizers: readonly (Recognizer | SecretRecognizer)[];
}
