import type { MemberRules } from '../tables.ts';

const IDENTIFIER = { as: 'identifier' } as const;
const LABEL = { as: 'label' } as const;

/** Members with the same meaning in every body of every provider. */
export const COMMON_TOPS: MemberRules = { id: IDENTIFIER, model: IDENTIFIER };

/** The same for messages and blocks, and identifiers in any JSON. */
export const COMMON_MEMBERS: MemberRules = {
  content: { as: 'content' },
  text: {},
  name: { as: 'name' },
  parts: { as: 'content' },
  message: { as: 'messages' },
  logprobs: { as: 'tokens' },
  id: IDENTIFIER,
  model: IDENTIFIER,
  request_id: IDENTIFIER,
  response_id: IDENTIFIER,
  message_id: IDENTIFIER,
  conversation_id: IDENTIFIER,
  session_id: IDENTIFIER,
  trace_id: IDENTIFIER,
  span_id: IDENTIFIER,
  type: LABEL,
  role: LABEL,
  object: LABEL,
};

/** The same for frames of streams. */
export const COMMON_FRAME: MemberRules = { id: IDENTIFIER, model: IDENTIFIER, type: LABEL, object: LABEL };

/** Parameters, counts and similar names that many providers use, and the names of JSON Schema and of guard. */
export const COMMON_NAMES = `
  messages system user metadata stream status temperature top_p top_k min_p max_tokens stop seed n tools tool_choice
  input output error code data url title source format schema usage index created created_at completed_at expires_at
  input_tokens output_tokens total_tokens input_tokens_details output_tokens_details
  properties required additionalProperties description enum items anyOf oneOf allOf not const default examples
  $ref $defs $schema definitions minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength
  maxLength minItems maxItems uniqueItems minProperties maxProperties patternProperties pattern nullable
  first_id last_id has_more
  framework chain_name agent_id session_id retrieved_context media direction args context
`;

export const COMMON_VALUES = `
  system developer user assistant model tool function message text image audio file document content error
  auto none any required true false list base64 url
  string number integer boolean array object null
  text/plain application/pdf image/png image/jpeg image/gif image/webp png jpeg webp wav mp3 opus flac aac pcm16
`;
