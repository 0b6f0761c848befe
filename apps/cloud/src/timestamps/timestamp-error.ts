/** An authority did not respond, declined, or returned a token that does not prove the data. */
export class TimestampError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'TimestampError';
  }
}
