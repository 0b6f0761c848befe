import type { ResponseTable, StreamTable } from '../tables.ts';

/** Source: Anthropic API reference, messages and streaming. */

const IDENTIFIER = { as: 'identifier' } as const;
const LABEL = { as: 'label' } as const;
/** A block is opened with the start of its text, and deltas continue it. */
const BLOCK = { goesOn: 'content/{index}', isPushed: true } as const;
const opens = ['text', 'thinking'];

export const messagesResponse: ResponseTable = {
  members: {
    content: { as: 'content', role: 'assistant' },
    completion: { as: 'content', role: 'assistant' },
    container: IDENTIFIER,
  },
  ids: [{ at: 'container/id' }],
};

export const messagesStream: StreamTable = {
  frame: {
    message: { as: 'messages', role: 'assistant' },
    delta: { goesOn: 'delta/{type}/{index}' },
    id: IDENTIFIER,
    model: IDENTIFIER,
    type: LABEL,
    usage: { as: 'leaves', role: 'other' },
    error: { as: 'leaves', role: 'other' },
  },
  events: {
    message_start: {
      message: {
        as: 'messages',
        role: 'assistant',
        goesOn: '',
        inside: { content: { goesOn: 'content', isPushed: true, opens } },
      },
    },
    content_block_start: {
      content_block: { as: 'content', role: 'assistant', ...BLOCK, opens, closes: 'content_block_stop' },
    },
    content_block_delta: { delta: BLOCK },
  },
  ids: { message_start: [{ at: 'message/container/id' }], message_delta: [{ at: 'delta/container/id' }] },
};

export const anthropicWords = {
  names: `
    stop_sequences stop_sequence stop_details input_schema media_type cited_text document_index document_title
    ttl enabled budget_tokens thinking cache_creation cache_creation_input_tokens cache_read_input_tokens
    ephemeral_5m_input_tokens ephemeral_1h_input_tokens server_tool_use web_search_requests web_fetch_requests
    is_error caller disable_parallel_tool_use max_uses allowed_domains blocked_domains allowed_callers
    user_location approximate city country region timezone
    defer_loading eager_input_streaming page_age search_result_index start_block_index end_block_index
    start_char_index end_char_index start_page_number end_page_number error_code retrieved_at stdout stderr
    return_code authorization_token tool_configuration allowed_tools context_management output_config effort
    inference_geo service_tier
  `,
  values: `
    messages tool_use tool_result server_tool_use mcp_tool_use mcp_tool_result tool_reference web_search_tool_result
    web_search_result web_fetch_tool_result web_fetch_result code_execution_tool_result code_execution_result
    text_delta input_json_delta thinking_delta signature_delta citations_delta content_block_stop message_delta
    message_stop ping end_turn max_tokens stop_sequence pause_turn tool_use standard standard_only
    ephemeral 5m 1h enabled disabled adaptive
  `,
};
