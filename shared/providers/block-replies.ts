import { sseFrame } from './sse.ts';
import type { Block, BlockReply, StreamFailure } from './wire-format.ts';

/** A rejection with status 403 and this body. */
export function jsonRejection(body: unknown): BlockReply {
  return { status: 403, contentType: 'application/json', body: JSON.stringify(body) };
}

/**
 * The frame that ends a blocked stream: the openai packages look at `event: error` and `data.error`, the Anthropic
 * ones at `event: error` and `data.type`. `more`: what a family's own clients ask for beside it.
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

/** The same for a response that could not be had: the envelope that an answer of that status would have. */
export function failureFrame({ error }: StreamFailure): string {
  return sseFrame('error', { type: 'error', error });
}

/** Whether frames hold one of this type. In a text its quotes would be escaped. */
export function hasSent(sent: string, type: string): boolean {
  return new RegExp(`^event: ?${type}$|"type" ?: ?"${type}"`, 'm').test(sent);
}
