/** Response headers that clients and browser scripts read. */
export const VERDICT_HEADERS = {
  eventId: 'X-Service-Event-ID',
  decision: 'X-Service-Decision',
  confidence: 'X-Service-Confidence',
  threatType: 'X-Service-Threat-Type',
} as const;

/** The number of passages of untrusted data withheld from the forwarded request; absent if none. */
export const WITHHELD_HEADER = 'X-Service-Withheld';

/** The delivery of a streamed response, if not as a whole. */
export const OUTPUT_HEADER = 'X-Service-Output';
/**
 * `pending`: the headers were sent before the response was complete; the verdict is the comment at the end. `live`: the
 * same, and each part is sent as soon as possible. `buffered`: the project delivers live, but this response cannot be.
 */
export type OutputMode = 'pending' | 'live' | 'buffered';

/** Comma-separated reasons (contract/guard UNSCANNED_REASONS) for parts of a proxied body without readable text. */
export const UNSCANNED_HEADER = 'X-Service-Unscanned';

/** Request headers with the labels of a request, never forwarded: the run it belongs to, and `k=v,…`. */
export const SESSION_HEADER = 'X-Service-Session';
export const TAGS_HEADER = 'X-Service-Tags';
/** The tag of the host that a device's or guard's request goes to; the service sets it. */
export const HOST_TAG = 'host=';

export const RATE_LIMIT_HEADERS = {
  limit: 'X-RateLimit-Limit',
  remaining: 'X-RateLimit-Remaining',
  reset: 'X-RateLimit-Reset',
} as const;
