import { hasSent, jsonRejection, oneErrorFrame } from '../block-replies.ts';
import { sseFrame } from '../sse.ts';
import type { ErrorTable } from '../tables.ts';
import type { Block } from '../wire-format.ts';

export const anthropicErrors: ErrorTable = {
  rejection: ({ message, eventId, dashboardUrl, fields }) =>
    jsonRejection({
      type: 'error',
      error: {
        type: 'permission_error',
        message,
        code: 'request_blocked',
        event_id: eventId,
        ...(dashboardUrl === undefined ? {} : { dashboard_url: dashboardUrl }),
        ...fields,
      },
      request_id: eventId,
    }),
  streamBlock: (block, sent = '') =>
    (hasSent(sent, 'message_start') ? '' : messageStart(block)) + oneErrorFrame(block),
};

/** An event without content. A common client takes an error before it for a connection failure and retries 6 times. */
function messageStart({ eventId }: Block): string {
  const message = {
    id: `msg_${eventId}`,
    type: 'message',
    role: 'assistant',
    model: '',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 0, output_tokens: 0 },
  };
  return sseFrame('message_start', { type: 'message_start', message });
}
