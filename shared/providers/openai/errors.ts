import { jsonRejection, oneErrorFrame } from '../block-replies.ts';
import { sseFrame } from '../sse.ts';
import type { ErrorTable } from '../tables.ts';
import type { Block } from '../wire-format.ts';

const rejection: ErrorTable['rejection'] = ({ message, eventId, dashboardUrl }) =>
  jsonRejection({
    error: {
      message,
      type: 'content_filter',
      param: null,
      code: 'request_blocked',
      event_id: eventId,
      ...(dashboardUrl === undefined ? {} : { dashboard_url: dashboardUrl }),
    },
  });

/** With the last frame alone a common client reads a fault of the server, and generates again. */
export const openaiErrors: ErrorTable = {
  rejection,
  streamBlock(block) {
    const error = {
      message: block.message,
      type: 'invalid_request_error',
      param: null,
      code: 'content_blocked',
      event_id: block.eventId,
    };
    return `data: ${JSON.stringify({ error })}\n\n${oneErrorFrame(block)}`;
  },
};

/** `invalid_prompt` is the one code at which the clients of responses do not try again. */
export const responsesErrors: ErrorTable = {
  rejection,
  streamBlock: (block) =>
    sseFrame('response.failed', {
      type: 'response.failed',
      sequence_number: 0,
      response: failedResponse(block),
    }) + oneErrorFrame(block, { sequence_number: 1, param: null }),
};

function failedResponse({ message, eventId }: Block): object {
  return {
    id: `resp_${eventId}`,
    object: 'response',
    created_at: 0,
    status: 'failed',
    error: { code: 'invalid_prompt', message },
    incomplete_details: null,
    instructions: null,
    metadata: {},
    model: '',
    output: [],
    parallel_tool_calls: true,
    temperature: null,
    tool_choice: 'auto',
    tools: [],
    top_p: null,
    usage: null,
  };
}
