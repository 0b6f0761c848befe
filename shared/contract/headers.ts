/** Response headers that clients and browser scripts read. */
export const VERDICT_HEADERS = {
  eventId: 'X-Service-Event-ID',
  decision: 'X-Service-Decision',
  confidence: 'X-Service-Confidence',
  threatType: 'X-Service-Threat-Type',
} as const;

/** How many passages of untrusted data were withheld from what was forwarded; absent if none was. */
export const WITHHELD_HEADER = 'X-Service-Withheld';

/** How a streamed response is delivered if not as a whole. */
export const OUTPUT_HEADER = 'X-Service-Output';
/**
 * `pending`: the head was sent before the response was there; the verdict is the comment at the end. `live`: so is each
 * part as soon as it can be. `buffered`: of a project that is live, a response that cannot be.
 */
export type OutputMode = 'pending' | 'live' | 'buffered';

/** Comma-separated reasons (contract/guard UNSCANNED_REASONS) of parts of a proxied body that hold no readable text. */
export const UNSCANNED_HEADER = 'X-Service-Unscanned';

export const RATE_LIMIT_HEADERS = {
  limit: 'X-RateLimit-Limit',
  remaining: 'X-RateLimit-Remaining',
  reset: 'X-RateLimit-Reset',
} as const;
