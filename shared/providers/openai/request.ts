import type { BlockTable, MemberRules, RequestTable, StoredContent } from '../tables.ts';

/** Sources: OpenAI API reference, chat completions and responses. */

const IDENTIFIER = { as: 'identifier' } as const;
const METADATA = { as: 'metadata' } as const;
const DEFINITIONS = { as: 'leaves', role: 'tool_definition' } as const;
const CALL = { role: 'tool_call' } as const;
const RESULT = { as: 'content', role: 'tool_result' } as const;
const SEALED = { as: 'sealed' } as const;
const SIGNATURE = { ...SEALED, signs: true } as const;
const THOUGHTS = { as: 'content', isThought: true } as const;
const SPEAKER = { role: 'speaker' } as const;
const PICTURE = { media: 'media' } as const;
const FILE = { role: 'document', media: 'file' } as const;

/** An item with nothing but its id refers to a stored one; the type may be absent. */
const isReference: StoredContent['only'] = ({ type, role, content }) =>
  type === 'item_reference' || (type == null && role === undefined && content === undefined);

/** The sender and the labels of a request. */
const ABOUT: MemberRules = {
  user: METADATA,
  metadata: METADATA,
  client_metadata: METADATA,
  safety_identifier: METADATA,
  prompt_cache_key: IDENTIFIER,
};

/** Instructions for the model outside the conversation; responses repeat them. */
export const instructionMembers: MemberRules = {
  instructions: { as: 'content', role: 'system' },
  tools: { ...DEFINITIONS, credentials: ['authorization', 'headers'] },
  text: DEFINITIONS,
  prompt: { as: 'leaves', role: 'user' },
  conversation: IDENTIFIER,
  previous_response_id: IDENTIFIER,
  ...ABOUT,
};

export const chatRequest: RequestTable = {
  conversation: 'messages',
  shape: 'list',
  members: {
    messages: { as: 'messages', role: 'user' },
    tools: DEFINITIONS,
    functions: DEFINITIONS,
    response_format: DEFINITIONS,
    prediction: { as: 'content', role: 'user' },
    ...ABOUT,
  },
  stored: [
    { at: 'messages/*/audio/id', mayHold: 'media', isReadIfAnswered: true },
    // Azure reads the search index before the model does.
    { at: 'data_sources/*/type' },
  ],
  roles: {
    system: 'system',
    developer: 'system',
    user: 'user',
    assistant: 'assistant',
    tool: 'tool_result',
    function: 'tool_result',
  },
};

export const responsesRequest: RequestTable = {
  conversation: 'input',
  shape: 'list, text or nothing',
  members: { input: { as: 'items', role: 'tool_result', textRole: 'user' }, ...instructionMembers },
  stored: [
    { at: 'previous_response_id', isReadIfAnswered: true },
    { at: 'input/*/id', only: isReference, isReadIfAnswered: true },
    { at: 'conversation' },
    { at: 'conversation/id' },
    { at: 'prompt/id' },
    { at: 'prompt/variables/*/file_id' },
    { at: 'tools/*/vector_store_ids/*' },
    { at: 'tools/*/container', isReadIfAnswered: true },
    { at: 'tools/*/container/file_ids/*' },
  ],
  roles: { system: 'system', developer: 'system', user: 'user', assistant: 'assistant' },
};

export const chatBlocks: BlockTable = {
  members: {
    tool_calls: { as: 'content', ...CALL },
    function_call: { as: 'content', ...CALL },
    function: { as: 'content' },
    arguments: CALL,
    input: CALL,
    audio: { as: 'media' },
    annotations: { as: 'leaves', role: 'document' },
    tool_call_id: IDENTIFIER,
    file_id: IDENTIFIER,
    finish_reason: { as: 'label' },
    // Signed and encrypted data of other providers that compatible ones pass on.
    reasoning_details: THOUGHTS,
    thinking_blocks: THOUGHTS,
    signature: SIGNATURE,
    thought_signature: SEALED,
    encrypted_content: SEALED,
  },
  types: {
    text: SPEAKER,
    refusal: SPEAKER,
    content: SPEAKER,
    function: SPEAKER,
    custom: SPEAKER,
    'reasoning.text': { ...SPEAKER, isThought: true },
    'reasoning.summary': { ...SPEAKER, isThought: true },
    'reasoning.encrypted': { ...SPEAKER, isThought: true, members: { data: SIGNATURE } },
    image_url: PICTURE,
    input_audio: PICTURE,
    audio_url: PICTURE,
    video_url: PICTURE,
    file: FILE,
  },
};

export const responsesBlocks: BlockTable = {
  members: {
    arguments: CALL,
    input: CALL,
    action: CALL,
    actions: CALL,
    code: CALL,
    queries: CALL,
    output: RESULT,
    outputs: RESULT,
    results: RESULT,
    result: { role: 'tool_result' },
    error: { role: 'tool_result' },
    summary: { as: 'content' },
    annotations: { as: 'leaves', role: 'document' },
    encrypted_content: SEALED,
    call_id: IDENTIFIER,
    item_id: IDENTIFIER,
    file_id: IDENTIFIER,
    file_ids: IDENTIFIER,
    container_id: IDENTIFIER,
    connector_id: IDENTIFIER,
    approval_request_id: IDENTIFIER,
    vector_store_ids: IDENTIFIER,
    server_label: { as: 'label' },
    phase: { as: 'label' },
    status: { as: 'label' },
  },
  types: {
    message: SPEAKER,
    input_text: SPEAKER,
    output_text: SPEAKER,
    refusal: SPEAKER,
    summary_text: SPEAKER,
    reasoning_text: SPEAKER,
    compaction: { ...SPEAKER, isThought: true, members: { encrypted_content: SIGNATURE } },
    reasoning: { role: 'assistant', isThought: true, members: { encrypted_content: SIGNATURE } },
    input_image: PICTURE,
    input_audio: PICTURE,
    input_video: PICTURE,
    computer_screenshot: PICTURE,
    input_file: FILE,
    image_generation_call: { role: 'tool_call', members: { result: { as: 'picture' } } },
    additional_tools: { members: { tools: DEFINITIONS } },
    // Written by the operator of that server, not by the developer.
    mcp_list_tools: { role: 'tool_result' },
    mcp_approval_request: { role: 'tool_call' },
    mcp_approval_response: { role: 'user' },
    item_reference: { role: 'other' },
  },
};
