/**
 * One text in a body, and the role of its author. `text` is the decoded string (JSON escapes resolved); offsets
 * everywhere are UTF-16 indexes into it.
 */
export interface TextSlot {
  /**
   * Unique in its body. An RFC 6901 JSON Pointer such as `/messages/0/content`, followed by steps if the text is nested
   * deeper than a JSON value (`~` with a letter cannot occur in a pointer):
   * - `~key`: the member's name
   * - `~data`: text decoded from base64 or a data: URL
   * - `~json/17`: the string or number at index 17 of JSON inside a string
   * - `~pdf/visible/0`: a text extracted from the PDF there (`~file/…` from another kind of file)
   *
   * Names and pointers too long for a label are cut and carry a digest, the same for reading and writing.
   * Paths that start with `#` are assembled from several places (`parts` names them) or come from a stream.
   */
  readonly path: string;
  readonly role: SlotRole;
  readonly text: string;
  /** True if the text is a member's name, not a value. */
  readonly isKey?: boolean;
  /** True if it is a JSON number, written out; it is replaced only as a whole. */
  readonly isNumber?: boolean;
  /** JSON pointer of the block that its provider signed, and that goes back unchanged: the text is never written. */
  readonly signedBlock?: string;
  /** The origins of the pieces of a `#joined:` slot, so that a redaction in it can be written back. */
  readonly parts?: readonly SlotPart[];
}

/** `text[start, end)` of the joined slot is `text[from, from + end - start)` of the slot at `path`. */
export interface SlotPart {
  readonly path: string;
  readonly from: number;
  readonly start: number;
  readonly end: number;
}

/**
 * - system: the developer's own instructions (system prompt, `instructions`)
 * - user: what a person typed
 * - assistant: what the model said, earlier in the conversation or now
 * - tool_call: a tool's name and arguments as the model wrote them
 * - tool_result, document: data the model is only meant to read; untrusted
 * - tool_definition: the developer's descriptions and schemas of tools
 * - credential: what the provider signs in elsewhere with, sent by the developer; not masked as a secret
 * - identifier: a generated id, digest or trace; read for secrets only
 * - metadata: a client's data about a request (`user`, `metadata`); read for secrets and personal data only
 * - other: every other string of the body (labels, addresses, names, members no provider knows)
 */
export const SLOT_ROLES = [
  'system',
  'user',
  'assistant',
  'tool_call',
  'tool_result',
  'document',
  'tool_definition',
  'credential',
  'identifier',
  'metadata',
  'other',
] as const;
export type SlotRole = (typeof SLOT_ROLES)[number];
