import Type, { type Static } from 'typebox';
import { nullable, nullableText, shape, timestamp } from './fields.ts';

export const mcpMessageSchema = shape(
  'McpMessage',
  { jsonrpc: Type.Literal('2.0') },
  { additionalProperties: true, examples: [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }] },
);

/** A path segment: `/api/v1/mcp/{server}`. */
export const MCP_SERVER_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** RFC 9110 5.1 and 5.5, without characters beyond ASCII. */
const HEADER_NAME = "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$";
const HEADER_VALUE = '^[\\x20-\\x7e]*$';

export const mcpHeadersSchema = Type.Record(
  Type.String({ pattern: HEADER_NAME }),
  Type.String({ pattern: HEADER_VALUE, maxLength: 8_192 }),
  {
    additionalProperties: false,
    maxProperties: 20,
    description: 'Sent with every request. Stored encrypted; never shown again.',
  },
);

export const setMcpServerSchema = shape('SetMcpServerRequest', {
  url: Type.String({
    minLength: 1,
    maxLength: 2_048,
    description: "URL of the server's streamable HTTP transport.",
  }),
  headers: Type.Optional(mcpHeadersSchema),
});
export type SetMcpServer = Static<typeof setMcpServerSchema>;

export const mcpToolSchema = shape('McpTool', {
  name: Type.String(),
  status: Type.Enum(['pinned', 'changed', 'withheld', 'denied'], {
    description:
      'changed: clients get the pinned definition until a person approves the proposed one. withheld: clients do not get the tool. denied: clients do not get it, and it is not pending approval.',
  }),
  pinned: nullable(Type.Object({}, { additionalProperties: true }), {
    description: 'The definition that clients get.',
  }),
  proposed: nullable(Type.Object({}, { additionalProperties: true }), {
    description: 'The definition that is pending approval.',
  }),
  proposed_digest: nullableText,
  changed_at: timestamp,
});
export type McpToolRecord = Static<typeof mcpToolSchema>;

export const mcpServerSchema = shape('McpServer', {
  name: Type.String(),
  url: Type.String(),
  header_names: Type.Array(Type.String()),
  source: Type.Enum(['project', 'file'], {
    description: 'file: configured by the operator, for every project.',
  }),
  tools: Type.Array(mcpToolSchema),
  warnings: Type.Array(Type.String(), { description: 'What to check, such as an address without TLS.' }),
});
export type McpServerRecord = Static<typeof mcpServerSchema>;

export const decideMcpToolSchema = shape('DecideMcpToolRequest', {
  tool: Type.String({ minLength: 1, maxLength: 256 }),
  decision: Type.Enum(['approve', 'deny']),
  proposed_digest: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'Digest of the reviewed definition; a later change needs another decision.',
  }),
});
export type DecideMcpTool = Static<typeof decideMcpToolSchema>;
