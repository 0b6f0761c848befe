/** Media type of event streams, as answered and as recognised. */
export const EVENT_STREAM = 'text/event-stream';

/** Media type of streams that are one JSON value a line. */
export const JSON_LINES = 'application/x-ndjson';

/** Media type of Amazon's binary streams; read as one JSON value a line, once their messages are unpacked. */
export const AMAZON_STREAM = 'application/vnd.amazon.eventstream';

/** One event with a JSON payload, ended by its blank line. */
export function sseFrame(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** True for `text/event-stream` with or without parameters. */
export function isEventStream(contentType: string | null | undefined): boolean {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() === EVENT_STREAM;
}
