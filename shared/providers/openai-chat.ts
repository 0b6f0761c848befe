import type { Block, BlockReply, Dialect } from './dialect.ts';
import { readAnswer, readRequest } from './reading/read-body.ts';
import { readStream } from './reading/read-stream.ts';
import { requireMessages, requireObject } from './reading/require-shape.ts';

/** POST /v1/chat/completions, as OpenAI and the many compatible vendors speak it. */
export const openaiChat: Dialect = {
  name: 'openai-chat',
  readRequest(value, source) {
    const body = requireObject(value);
    requireMessages(body);
    return readRequest(body, 'chat', source);
  },
  readAnswer: (value, source) => readAnswer(value, 'chat', source),
  readStream: (body) => readStream(body, 'chat'),
  blockAs: blockAsOpenai,
};

export function blockAsOpenai(block: Block): BlockReply {
  const error = {
    message: block.message,
    type: 'content_filter',
    param: null,
    code: 'request_blocked',
    event_id: block.eventId,
    ...(block.dashboardUrl === undefined ? {} : { dashboard_url: block.dashboardUrl }),
  };
  return { status: 403, contentType: 'application/json', body: JSON.stringify({ error }) };
}
