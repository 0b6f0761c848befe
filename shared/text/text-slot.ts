/**
 * One piece of text found in a body, and who it speaks for.
 * `text` is the decoded string (JSON escapes resolved); offsets everywhere are UTF-16 indexes into it.
 */
export interface TextSlot {
  /** RFC 6901 JSON Pointer into the body, such as `/messages/0/content`. Synthetic slots start with `#`. */
  readonly path: string;
  readonly role: SlotRole;
  readonly text: string;
  /** True where the text is the member name at `path`, not its value. */
  readonly isKey?: boolean;
}

/**
 * - system: the developer's own instructions (system prompt, `instructions`)
 * - user: what a person typed
 * - assistant: what the model said, earlier in the conversation or now
 * - tool_call: a tool's name and arguments as the model wrote them
 * - tool_result, document: data the model is only meant to read; untrusted
 * - tool_definition: the developer's descriptions and schemas of tools
 * - metadata: every other string of the body (ids, labels, names)
 */
export const SLOT_ROLES = [
  'system',
  'user',
  'assistant',
  'tool_call',
  'tool_result',
  'document',
  'tool_definition',
  'metadata',
] as const;
export type SlotRole = (typeof SLOT_ROLES)[number];
