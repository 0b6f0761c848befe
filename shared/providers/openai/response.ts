import type { IdPlace, ResponseTable, StreamTable } from '../tables.ts';
import { instructionMembers } from './request.ts';

/** Sources: OpenAI API reference, chat completions, responses and their streaming events. */

const IDENTIFIER = { as: 'identifier' } as const;
const LABEL = { as: 'label' } as const;
const LEAVES = { as: 'leaves', role: 'other' } as const;

export const chatResponse: ResponseTable = {
  members: { choices: { as: 'messages', role: 'assistant' }, system_fingerprint: IDENTIFIER },
  ids: [{ at: 'choices/*/message/audio/id' }],
};

/** What runs in the background is stored later, unseen. */
const isOver: IdPlace['only'] = ({ status }) => status !== 'queued' && status !== 'in_progress';
const OF_RESPONSE = ['id', 'output/*/id', 'output/*/container_id'];

export const responsesResponse: ResponseTable = {
  members: {
    output: { as: 'items', role: 'assistant' },
    output_text: { as: 'content', role: 'assistant' },
    ...instructionMembers,
  },
  ids: OF_RESPONSE.map((at) => ({ at, only: isOver })),
};

export const chatStream: StreamTable = {
  frame: {
    choices: {
      goesOn: 'choices',
      each: 'index',
      inside: {
        delta: { goesOn: '' },
        // Clients append later deltas to it.
        message: { as: 'messages', role: 'assistant', goesOn: '' },
        logprobs: { as: 'tokens' },
      },
    },
    id: IDENTIFIER,
    model: IDENTIFIER,
    system_fingerprint: IDENTIFIER,
    obfuscation: IDENTIFIER,
    object: LABEL,
    service_tier: LABEL,
    usage: LEAVES,
    error: LEAVES,
  },
};

const INDEXES = '{output_index}/{content_index}/{summary_index}/{command_index}';
/** The members with which an item or a part opens, and the events that continue them. */
const opensByType = {
  output_text: ['text', 'response.output_text.delta'],
  refusal: ['refusal', 'response.refusal.delta'],
  reasoning_text: ['text', 'response.reasoning_text.delta'],
  summary_text: ['text', 'response.reasoning_summary_text.delta'],
  function_call: ['arguments', 'response.function_call_arguments.delta'],
  mcp_call: ['arguments', 'response.mcp_call_arguments.delta'],
  custom_tool_call: ['input', 'response.custom_tool_call_input.delta'],
  code_interpreter_call: ['code', 'response.code_interpreter_call_code.delta'],
} as const;
const OPENED = { as: 'items', role: 'assistant', goesOn: INDEXES, opensByType } as const;
const AUDIO = { delta: { goesOn: `delta/{type}/${INDEXES}/data` } } as const;
/** For frames that repeat the whole text of earlier deltas. */
const WHOLE = { as: 'content' } as const;

export const responsesStream: StreamTable = {
  frame: {
    delta: { goesOn: `delta/{type}/${INDEXES}` },
    text: WHOLE,
    refusal: WHOLE,
    arguments: WHOLE,
    input: WHOLE,
    code: WHOLE,
    transcript: WHOLE,
    command: WHOLE,
    output: WHOLE,
    content: WHOLE,
    item: { as: 'items', role: 'assistant' },
    part: { as: 'items', role: 'assistant' },
    annotation: { as: 'leaves', role: 'document' },
    response: { as: 'body' },
    logprobs: { as: 'tokens' },
    partial_image_b64: { as: 'picture' },
    id: IDENTIFIER,
    model: IDENTIFIER,
    item_id: IDENTIFIER,
    obfuscation: IDENTIFIER,
    type: LABEL,
    status: LABEL,
    usage: LEAVES,
    error: LEAVES,
  },
  events: {
    'response.created': {
      response: { as: 'body', goesOn: '', inside: { output: { goesOn: '', opensByType } } },
    },
    'response.output_item.added': { item: OPENED },
    'response.content_part.added': { part: OPENED },
    'response.reasoning_summary_part.added': { part: OPENED },
    'response.audio.delta': AUDIO,
    'response.output_audio.delta': AUDIO,
    error: { message: LABEL, code: LABEL, param: LABEL },
  },
  ids: {
    'response.completed': OF_RESPONSE.map((at) => ({ at: `response/${at}` })),
    'response.incomplete': OF_RESPONSE.map((at) => ({ at: `response/${at}` })),
  },
};

export const openaiWords = {
  names: `
    stream_options include_usage include_obfuscation max_completion_tokens max_output_tokens max_tool_calls
    presence_penalty frequency_penalty repetition_penalty logit_bias top_logprobs logprob token bytes
    parallel_tool_calls parameters parsed parsed_arguments strict output_schema json_schema modalities voice verbosity
    reasoning_effort web_search_options user_location search_context_size approximate city country region timezone
    store prompt_cache_retention prompt_cache_options reasoning_content reasoning reasoning_details start_index
    end_index url_citation prompt_tokens completion_tokens prompt_tokens_details completion_tokens_details
    cached_tokens audio_tokens reasoning_tokens accepted_prediction_tokens rejected_prediction_tokens text_tokens
    image_url image detail input_audio file file_data file_url filename media_type tool_name tool_names
    include background truncation variables version text_format incomplete_details reason sequence_number
    output_index content_index summary_index annotation_index query attributes score sources logs
    partial_image_index server_url server_description require_approval headers authorization approve commands env
    working_directory timeout_ms exit_code outcome max_num_results ranking_options ranker score_threshold filters
    quality size background_color output_format output_compression partial_images moderation input_image_mask
    input_fidelity revised_prompt display_width display_height environment pending_safety_checks
    acknowledged_safety_checks x y button keys path scroll_x scroll_y definition syntax grammar custom
    generate_summary created_by tool_references allowed_tools effort
  `,
  values: `
    function_call function_call_output custom_tool_call custom_tool_call_output computer_call computer_call_output
    web_search_call file_search_call code_interpreter_call mcp_call local_shell_call local_shell_call_output
    shell_call shell_call_output apply_patch_call apply_patch_call_output logs url_citation file_citation response
    response.queued response.in_progress response.completed response.failed response.incomplete
    response.output_item.done response.content_part.done response.output_text.done
    response.output_text.annotation.added response.refusal.done response.function_call_arguments.done
    response.reasoning_summary_part.done response.reasoning_summary_text.done response.reasoning_text.done
    response.custom_tool_call_input.done response.mcp_call_arguments.done response.audio.done
    response.audio.transcript.delta response.audio.transcript.done chat.completion chat.completion.chunk [DONE]
    stop length tool_calls content_filter max_output_tokens json_object json_schema
    completed in_progress incomplete failed cancelled queued default flex priority scale batch
    anthropic-claude-v1 openai-responses-v1 google-gemini-v1 xai-responses-v1 unknown
    minimal low medium high xhigh max concise detailed 24h in_memory enabled disabled
  `,
};
