import type { Block, BlockReply, Dialect } from './dialect.ts';
import { readAnswer, readRequest } from './reading/read-body.ts';
import { readStream } from './reading/read-stream.ts';
import { requireMessages, requireObject } from './reading/require-shape.ts';

/** POST /v1/messages. */
export const anthropicMessages: Dialect = {
  name: 'anthropic-messages',
  readRequest(value, source) {
    const body = requireObject(value);
    requireMessages(body);
    return readRequest(body, 'messages', source);
  },
  readAnswer: (value, source) => readAnswer(value, 'messages', source),
  readStream: (body) => readStream(body, 'messages'),
  blockAs: blockAsAnthropic,
};

function blockAsAnthropic(block: Block): BlockReply {
  const error = {
    type: 'permission_error',
    message: block.message,
    code: 'request_blocked',
    event_id: block.eventId,
    ...(block.dashboardUrl === undefined ? {} : { dashboard_url: block.dashboardUrl }),
  };
  const body = JSON.stringify({ type: 'error', error, request_id: block.eventId });
  return { status: 403, contentType: 'application/json', body };
}
