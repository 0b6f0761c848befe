/** An authority did not respond, declined, or its token does not prove what it was asked for. */
export class TimestampError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'TimestampError';
  }
}
