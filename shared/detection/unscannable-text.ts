export type UnscannableReason =
  /** Its own work passed the deadline of a scan. */
  | 'too_costly'
  /** It has more characters than one text may have. */
  | 'too_long'
  /** The engine failed on it, and on nothing else. */
  | 'failed';

const DETAILS: Readonly<Record<UnscannableReason, string>> = {
  too_costly: 'Scanning this text takes more work than one scan may take, so it was not scanned to its end.',
  too_long: 'This text is longer than any that is scanned.',
  failed: 'This text cannot be scanned: the engine fails on it.',
};

/**
 * A text could not be scanned, and the reason is the text itself: it is refused whatever the project's `fail_mode`
 * says, which is for an engine that cannot run.
 */
export class UnscannableTextError extends Error {
  readonly reason: UnscannableReason;

  constructor(reason: UnscannableReason, options?: ErrorOptions) {
    super(DETAILS[reason], options);
    this.name = 'UnscannableTextError';
    this.reason = reason;
  }
}
