export type UnscannableReason =
  /** Scanning it exceeded the deadline of a scan. */
  | 'too_costly'
  /** It exceeds the length limit of a text. */
  | 'too_long'
  /** The engine fails on this text only. */
  | 'failed';

const DETAILS: Readonly<Record<UnscannableReason, string>> = {
  too_costly: 'Scanning this text took longer than the time limit, so it was not scanned completely.',
  too_long: 'This text exceeds the length limit for scanning.',
  failed: 'This text cannot be scanned because the engine fails on it.',
};

/**
 * Thrown if a text cannot be scanned because of the text itself. It is blocked whatever the project's `fail_mode` says,
 * which is for an engine that cannot run.
 */
export class UnscannableTextError extends Error {
  readonly reason: UnscannableReason;

  constructor(reason: UnscannableReason, options?: ErrorOptions) {
    super(DETAILS[reason], options);
    this.name = 'UnscannableTextError';
    this.reason = reason;
  }
}
