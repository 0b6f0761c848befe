import type { JsonObject } from '../reading/text-collector.ts';

/** Members that contain a call as `{name, arguments}`, in any provider's naming. */
export const WRAPPERS = [
  'function',
  'custom',
  'function_call',
  'functionCall',
  'toolUse',
  'tool_use',
] as const;

/** Spellings of the member with the arguments, the usual one first. */
export const ARGUMENTS = ['arguments', 'input', 'args', 'parameters'] as const;

/** Those of items that the provider runs itself, or that are no functions. */
export const ITEM_ARGUMENTS = [
  ...ARGUMENTS.slice(0, 3),
  'action',
  'operation',
  'code',
  'queries',
  'parameters',
] as const;

/** Members that are not arguments in a call with neither a tool name nor an arguments member. */
const ABOUT: ReadonlySet<string> = new Set([
  ...['id', 'call_id', 'type', 'status', 'role', 'caller', 'index', 'name'],
]);

/** Members with tool definitions, settings and data, in which no client looks for calls of the model. */
export const NO_CALLS: ReadonlySet<string> = new Set([
  ...['tools', 'functions', 'tool_choice', 'toolConfig', 'tool_config'],
  ...['text_format', 'response_format', 'instructions', 'metadata', 'functionResponse', 'function_response'],
]);

/** Where an object stands: in a list of calls a name makes it one, in a list of blocks a name with arguments. */
export type Place = 'calls' | 'blocks' | 'elsewhere';

const BLOCKS: ReadonlySet<string> = new Set([
  ...['content', 'output', 'parts', 'item', 'content_block', 'start', 'message', 'messages'],
]);

export const placeOf = (member: string): Place =>
  member === 'tool_calls' ? 'calls' : BLOCKS.has(member) ? 'blocks' : 'elsewhere';

const ENDS_TYPE = /_(?:call|use)$/;

/** True for the type of an item or block that is a call. */
export const isCallType = (type: string): boolean => type === 'mcp_approval_request' || ENDS_TYPE.test(type);

/** Types of calls that have a name of their own. */
const NAMED: ReadonlySet<string> = new Set([
  ...['function_call', 'custom_tool_call', 'mcp_call', 'mcp_approval_request'],
  ...['tool_use', 'server_tool_use', 'mcp_tool_use'],
]);

export const nameOfType = (type: string): string => (NAMED.has(type) ? '' : type.replace(ENDS_TYPE, ''));

export const typeOf = ({ type }: JsonObject): string => (typeof type === 'string' ? type : '');

/** Returns the members of a call that has no member for its arguments. */
export function restOf(block: JsonObject, isContainer: boolean): JsonObject {
  const entries = Object.entries(block).filter(([name]) => !ABOUT.has(name));
  // The calls in a container have arguments of their own: nothing is compared twice.
  return Object.fromEntries(isContainer ? entries.filter(([, value]) => typeof value !== 'object') : entries);
}
