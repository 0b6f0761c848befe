import { childPointer } from '../reading/path.ts';
import { isJsonObject, type JsonObject } from '../reading/text-collector.ts';
import { type ToolCall, toToolCall } from './tool-call.ts';

/** Members that contain a call as `{name, arguments}`, in any provider's naming. */
const WRAPPERS = ['function', 'custom', 'function_call', 'functionCall', 'toolUse', 'tool_use'] as const;
/** Members that contain the arguments of a call, the usual one first. */
const ARGUMENTS = [
  'arguments',
  'input',
  'args',
  'action',
  'operation',
  'code',
  'queries',
  'parameters',
] as const;
/** Members that are not arguments in a call with neither a tool name nor an arguments member. */
const ABOUT: ReadonlySet<string> = new Set(['id', 'call_id', 'type', 'status', 'role', 'caller', 'index']);
/** Members with tool definitions and settings, which contain no calls of the model. */
const NO_CALLS: ReadonlySet<string> = new Set([
  'tools',
  'tool_choice',
  'toolConfig',
  'tool_config',
  'text_format',
]);
const MAX_DEPTH = 60;

/**
 * Returns every call in a body, in order, in any provider's interface: wrapped as `{function: {name, arguments}}` or
 * `{functionCall: {name, args}}`, or an item whose type ends in `_call` or `_use`.
 */
export function readToolCalls(body: unknown): ToolCall[] {
  const calls: ToolCall[] = [];
  walk(calls, body, '', 0);
  return calls;
}

function walk(calls: ToolCall[], value: unknown, path: string, depth: number): void {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) walk(calls, value[i], `${path}/${i}`, depth + 1);
    return;
  }
  const block = value as JsonObject;
  const type = typeof block['type'] === 'string' ? block['type'] : '';
  if (isResult(type)) return;
  const call = callIn(block, type, path);
  if (call !== null) {
    calls.push(call);
    return;
  }
  for (const name in block) {
    if (!NO_CALLS.has(name)) walk(calls, block[name], childPointer(path, name), depth + 1);
  }
}

const isResult = (type: string): boolean => /_(?:result|output|error)$/.test(type);

/** Returns the call that an object represents, if any. */
export function callIn(block: JsonObject, type: string, path: string): ToolCall | null {
  const id = block['id'] ?? block['call_id'];
  for (const wrapper of WRAPPERS) {
    const inner = block[wrapper];
    if (!isJsonObject(inner) || typeof inner['name'] !== 'string' || isDefinition(inner)) continue;
    const wrapped = inner['id'] ?? inner['toolUseId'] ?? id;
    return toToolCall(path, wrapped, inner['name'], argumentsIn(inner));
  }
  const code = block['executableCode'] ?? block['executable_code'];
  if (isJsonObject(code)) return toToolCall(path, code['id'], 'code_execution', code);
  if (type === 'mcp_approval_request' || /_(?:call|use)$/.test(type)) {
    const name = typeof block['name'] === 'string' ? block['name'] : type.replace(/_(?:call|use)$/, '');
    return toToolCall(path, block['call_id'] ?? id, name, argumentsIn(block) ?? restOf(block));
  }
  return null;
}

/** Tool definitions use the same members, with a schema instead of arguments. */
const isDefinition = (inner: JsonObject): boolean =>
  !('arguments' in inner || 'input' in inner || 'args' in inner) &&
  ('parameters' in inner || 'description' in inner || 'strict' in inner);

function argumentsIn(block: JsonObject): unknown {
  const member = ARGUMENTS.find((name) => block[name] !== undefined && block[name] !== null);
  return member === undefined ? undefined : block[member];
}

function restOf(block: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(block).filter(([name]) => !ABOUT.has(name)));
}
