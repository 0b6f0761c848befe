/**
 * Members that the vendors' references call identifiers: made by machines, given back as they came, shown to no model.
 * What stands there in the form of one is read for secrets only; anything else is read like any other text.
 */
const IDENTIFIER_NAMES: ReadonlySet<string> = new Set([
  'id',
  'call_id',
  'tool_call_id',
  'tool_use_id',
  'item_id',
  'file_id',
  'container_id',
  'container',
  'conversation',
  'conversation_id',
  'message_id',
  'response_id',
  'request_id',
  'session_id',
  'trace_id',
  'span_id',
  'parent_message_id',
  'parent_message_uuid',
  'previous_response_id',
  'approval_request_id',
  'connector_id',
  'vector_store_ids',
  'file_ids',
  'first_id',
  'last_id',
  'model',
  'prompt_cache_key',
  'system_fingerprint',
  'obfuscation',
]);

/** Longer than any id that a vendor makes. */
const MAX_CHARACTERS = 128;
/** One word of ASCII: what nobody sees, and letters of two scripts, are in no id. */
const IDENTIFIER = /^[\x21-\x7e]+$/;

export function isIdentifierName(name: string): boolean {
  return IDENTIFIER_NAMES.has(name);
}

export function isIdentifier(text: string): boolean {
  return text.length <= MAX_CHARACTERS && IDENTIFIER.test(text);
}

/** Members at the top of a body in which clients say whose request it is, and file it. */
export const METADATA_NAMES: ReadonlySet<string> = new Set([
  'user',
  'metadata',
  'client_metadata',
  'safety_identifier',
]);
