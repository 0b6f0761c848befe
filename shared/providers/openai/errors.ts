import { hasSent, jsonRejection, oneErrorFrame } from '../block-replies.ts';
import { sseFrame } from '../sse.ts';
import type { ErrorTable } from '../tables.ts';

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

/** With only the last frame a common client assumes a server error, and retries. */
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
 * `invalid_prompt` is the only code that clients of responses do not retry. The openai package's own helper accepts a
 * failure only for the response that was created.
 */
export const responsesErrors: ErrorTable = {
  rejection,
  streamBlock(block, sent = '') {
    const error = { code: 'invalid_prompt', message: block.message };
    let sequence = lastSequence(sent) + 1;
    const id = createdId(sent) ?? `resp_${block.eventId}`;
    const created = hasSent(sent, 'response.created')
      ? ''
      : responseFrame(sequence++, 'response.created', responseOf(id, 'in_progress', null));
    return (
      created +
      responseFrame(sequence++, 'response.failed', responseOf(id, 'failed', error)) +
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

/** Returns the id of the response that a stream has begun; null: not begun, or no id. */
function createdId(sent: string): string | null {
  const [, data] = CREATED.exec(sent) ?? [];
  if (data === undefined) return null;
  try {
    const { type, response } = JSON.parse(data) as { type?: unknown; response?: { id?: unknown } | null };
    return type === 'response.created' && typeof response?.id === 'string' ? response.id : null;
  } catch {
    return null;
  }
}

const CREATED = /^data: ?(\{.*"response\.created".*\})$/m;

/** A response without content. */
function responseOf(id: string, status: string, error: object | null): object {
  return {
    id,
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
