import { jsonRejection } from '../block-replies.ts';
import type { ErrorTable } from '../tables.ts';

/** Payloads of the exception that ends a stream; the service puts them into a message of an event stream. */
export const bedrockErrors: ErrorTable = {
  rejection: ({ message }) => jsonRejection({ message }),
  streamBlock: ({ message, eventId, fields }) =>
    JSON.stringify({ message, code: 'content_blocked', event_id: eventId, ...fields }),
  streamError: ({ error }) => JSON.stringify(error),
};
