import { hasSent, jsonRejection, oneErrorFrame } from '../block-replies.ts';
import { sseFrame } from '../sse.ts';
import type { ErrorTable } from '../tables.ts';
import type { Block } from '../wire-format.ts';

const rejection: ErrorTable['rejection'] = ({ message, eventId, dashboardUrl, fields }) =>
  jsonRejection({
    error: {
      message,
      type: 'content_filter',
      param: null,
      code: 'request_blocked',
      event_id: eventId,
      ...(dashboardUrl === undefined ? {} : { dashboard_url: dashboardUrl }),
      ...fields,
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
      ...block.fields,
    };
    return `data: ${JSON.stringify({ error })}\n\n${oneErrorFrame(block)}`;
  },
};

/**
 * `invalid_prompt` is the one code at which the clients of responses do not try again. The openai package's own helper
 * takes a failure only of a response that was created.
 */
export const responsesErrors: ErrorTable = {
  rejection,
  streamBlock(block, sent = '') {
    const error = { code: 'invalid_prompt', message: block.message };
    let sequence = lastSequence(sent) + 1;
    const created = hasSent(sent, 'response.created')
      ? ''
      : responseFrame(sequence++, 'response.created', responseOf(block, 'in_progress', null));
    return (
      created +
      responseFrame(sequence++, 'response.failed', responseOf(block, 'failed', error)) +
      oneErrorFrame(block, { sequence_number: sequence, param: null })
    );
  },
};

function lastSequence(sent: string): number {
  const last = sent.lastIndexOf('"sequence_number":');
  return last === -1 ? -1 : Number.parseInt(sent.slice(last + 18), 10);
}

function responseFrame(sequence_number: number, type: string, response: object): string {
  return sseFrame(type, { type, sequence_number, response });
}

/** Without content. */
function responseOf({ eventId }: Block, status: string, error: object | null): object {
  return {
    id: `resp_${eventId}`,
    object: 'response',
    created_at: 0,
    status,
    error,
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
