/** Media type of event streams, as answered and as recognised. */
export const EVENT_STREAM = 'text/event-stream';

/** Media type of streams with one JSON value per line. */
export const JSON_LINES = 'application/x-ndjson';

/** Media type of Amazon's binary streams; decoded and then read as one JSON value per line. */
export const AMAZON_STREAM = 'application/vnd.amazon.eventstream';

/** Returns one event with a JSON payload, including the blank line at its end. */
export function sseFrame(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** True for `text/event-stream` with or without parameters. */
export function isEventStream(contentType: string | null | undefined): boolean {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() === EVENT_STREAM;
}
