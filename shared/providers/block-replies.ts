import { sseFrame } from './sse.ts';
import type { Block, BlockReply, StreamFailure } from './wire-format.ts';

/** A rejection with status 403 and this body. */
export function jsonRejection(body: unknown): BlockReply {
  return { status: 403, contentType: 'application/json', body: JSON.stringify(body) };
}

/**
 * Returns the frame that ends a blocked stream: the openai packages read `event: error` and `data.error`, those of
 * Anthropic `event: error` and `data.type`. `more`: additional members for a provider's own clients.
 */
export function oneErrorFrame(
  { message, eventId, fields }: Pick<Block, 'message' | 'eventId' | 'fields'>,
  more: Readonly<Record<string, unknown>> = {},
): string {
  return sseFrame('error', {
    type: 'error',
    error: { type: 'content_filter', code: 'content_blocked', message, event_id: eventId, ...fields },
    ...more,
  });
}

/** Returns the frame for a failed response: the error envelope of a response with that status. */
export function failureFrame({ error }: StreamFailure): string {
  return sseFrame('error', { type: 'error', error });
}

/** True if frames contain one of this type. Inside a text its quotes would be escaped. */
export function hasSent(sent: string, type: string): boolean {
  return new RegExp(`^event: ?${type}$|"type" ?: ?"${type}"`, 'm').test(sent);
}
