import type { SlotRole } from '../../text/index.ts';

/** Whose words a message's are. Roles that are not in here are read as a person's. */
const MESSAGE_ROLES: ReadonlyMap<string, SlotRole> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['model', 'assistant'],
  ['tool', 'tool_result'],
  ['function', 'tool_result'],
]);

export function roleOfMessage(role: string): SlotRole {
  return MESSAGE_ROLES.get(role) ?? 'user';
}

/** Blocks and items whose texts are the words of whoever sent the message; '' is one that says no type. */
const OWN_WORDS: ReadonlySet<string> = new Set([
  '',
  'text',
  'input_text',
  'output_text',
  'refusal',
  'summary_text',
  'reasoning_text',
  'thinking',
  'redacted_thinking',
  'message',
  'content',
  'function',
  'custom',
  'compaction',
]);

const BLOCK_ROLES: ReadonlyMap<string, SlotRole> = new Map([
  ['document', 'document'],
  ['search_result', 'document'],
  ['file', 'document'],
  ['input_file', 'document'],
  ['reasoning', 'assistant'],
  // Written by whoever runs that server, not by the developer.
  ['mcp_list_tools', 'tool_result'],
  ['mcp_approval_request', 'tool_call'],
  ['mcp_approval_response', 'user'],
  ['item_reference', 'other'],
]);

/**
 * Whose words an item is that says only its type. The vendors name what a tool was asked `…_call` or `…_use` and
 * what it said `…_output` or `…_result`, so their next tool is read rightly before this list knows it.
 */
export function roleOfItem(type: string, otherwise: SlotRole): SlotRole {
  if (OWN_WORDS.has(type)) return otherwise;
  const known = BLOCK_ROLES.get(type);
  if (known !== undefined) return known;
  if (/_(?:output|result|error)$/.test(type)) return 'tool_result';
  if (/_(?:call|use)$/.test(type)) return 'tool_call';
  return otherwise === 'system' ? 'document' : otherwise;
}

/**
 * Whose words a block is inside of somebody's message. A type can lower the trust that its place gives, never raise
 * it: a person's block does not become the model's or the developer's by being called so.
 */
export function roleOfBlock(type: string, around: SlotRole): SlotRole {
  const byType = roleOfItem(type, around);
  if (around !== 'user' && around !== 'tool_result' && around !== 'document') return byType;
  return byType === 'tool_result' || byType === 'document' ? byType : around;
}

/** Types that stand for something other than text. */
export const MEDIA_TYPES: ReadonlySet<string> = new Set([
  'image',
  'image_url',
  'input_image',
  'input_audio',
  'audio',
  'audio_url',
  'video',
  'video_url',
  'input_video',
  'file',
  'input_file',
  'document',
  'computer_screenshot',
  'container_upload',
]);

/** Labels inside messages and blocks: nobody's words. */
export const LABELS: ReadonlySet<string> = new Set([
  'type',
  'id',
  'role',
  'status',
  'object',
  'model',
  'call_id',
  'tool_call_id',
  'tool_use_id',
  'item_id',
  'file_id',
  'container_id',
  'approval_request_id',
  'server_label',
  'phase',
  'cache_control',
  'finish_reason',
  'stop_reason',
]);

/** Members that hold what a tool is asked, wherever they stand. */
export const CALL_MEMBERS: ReadonlySet<string> = new Set([
  'tool_calls',
  'function_call',
  'arguments',
  'input',
  'partial_json',
  'action',
  'actions',
  'code',
  'queries',
]);

/** Members of a tool's call that hold what came back. */
export const RESULT_MEMBERS: ReadonlySet<string> = new Set([
  'output',
  'outputs',
  'results',
  'result',
  'error',
]);

/** Members that hold messages' or blocks' own content, read block by block. */
export const CONTENT_MEMBERS: ReadonlySet<string> = new Set([
  'content',
  'summary',
  'parts',
  'audio',
  'output',
  'outputs',
  'results',
  'function',
  'tool_calls',
  'function_call',
]);

/** Sealed by the vendor. */
export const SEALED_MEMBERS: ReadonlySet<string> = new Set([
  'signature',
  'encrypted_content',
  'encrypted_index',
  'encrypted_stdout',
  'thought_signature',
]);
