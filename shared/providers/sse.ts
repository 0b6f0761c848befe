/** Media type of event streams, as answered and as recognised. */
export const EVENT_STREAM = 'text/event-stream';

/**
 * The frame that ends a blocked stream. One shape for all dialects: the openai packages look at `event: error`
 * and `data.error`, the Anthropic ones at `event: error` and `data.type`.
 */
export function blockFrame(block: { readonly message: string; readonly eventId: string }): string {
  return sseFrame('error', {
    type: 'error',
    error: {
      type: 'content_filter',
      code: 'content_blocked',
      message: block.message,
      event_id: block.eventId,
    },
  });
}

/** One event with a JSON payload, ended by its blank line. */
export function sseFrame(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** True for `text/event-stream` with or without parameters. */
export function isEventStream(contentType: string | null | undefined): boolean {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() === EVENT_STREAM;
}
