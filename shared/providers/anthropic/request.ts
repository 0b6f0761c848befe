import type { BlockTable, RequestTable } from '../tables.ts';

/** Source: Anthropic API reference, messages. */

const IDENTIFIER = { as: 'identifier' } as const;
const CALL = { role: 'tool_call' } as const;
const SEALED = { as: 'sealed' } as const;
const SIGNATURE = { ...SEALED, signs: true } as const;
const SPEAKER = { role: 'speaker' } as const;

export const messagesRequest: RequestTable = {
  conversation: 'messages',
  shape: 'list',
  members: {
    messages: { as: 'messages', role: 'user' },
    system: { as: 'content', role: 'system' },
    tools: { as: 'leaves', role: 'tool_definition' },
    mcp_servers: { as: 'leaves', role: 'tool_definition', credentials: ['authorization_token'] },
    metadata: { as: 'metadata' },
    container: IDENTIFIER,
  },
  stored: [
    { at: 'container', isReadIfAnswered: true },
    { at: 'container/id', isReadIfAnswered: true },
    // A skill of the organization is text that the model follows.
    { at: 'container/skills/*/skill_id', only: ({ type }) => type !== 'anthropic' },
  ],
  roles: { system: 'system', user: 'user', assistant: 'assistant' },
};

export const messagesBlocks: BlockTable = {
  members: {
    input: CALL,
    partial_json: CALL,
    citation: { as: 'leaves', role: 'document' },
    citations: { as: 'leaves', role: 'document' },
    thinking: { isThought: true },
    signature: SIGNATURE,
    encrypted_content: SEALED,
    encrypted_index: SEALED,
    encrypted_stdout: SEALED,
    tool_use_id: IDENTIFIER,
    file_id: IDENTIFIER,
    cache_control: { as: 'label' },
    stop_reason: { as: 'label' },
  },
  types: {
    text: SPEAKER,
    thinking: { ...SPEAKER, isThought: true },
    redacted_thinking: { ...SPEAKER, isThought: true, members: { data: SIGNATURE } },
    content: SPEAKER,
    compaction: { ...SPEAKER, isThought: true, members: { encrypted_content: SIGNATURE } },
    image: { media: 'media' },
    document: { role: 'document', media: 'file' },
    search_result: { role: 'document' },
    container_upload: { media: 'file' },
  },
};
