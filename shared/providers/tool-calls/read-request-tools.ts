import type { Steps } from '../../text/index.ts';
import { childPointer } from '../reading/path.ts';
import { isJsonObject, type JsonObject } from '../reading/text-collector.ts';
import { readToolCallsInSteps } from './read-calls.ts';
import type { ToolCall } from './tool-call.ts';

/** A tool as a request defines it. */
export interface DefinedTool {
  readonly name: string;
  readonly parameters: readonly string[];
  /** Its schema for the arguments; null: it has none. */
  readonly schema: JsonObject | null;
  /** From its MCP annotations; null: not specified. */
  readonly isDestructive: boolean | null;
  readonly isOpenWorld: boolean | null;
}

/** Returns the tools that a request defines, in any provider's interface, by name. */
export function readDefinedTools(request: unknown): ReadonlyMap<string, DefinedTool> {
  const found = new Map<string, DefinedTool>();
  if (!isJsonObject(request)) return found;
  const config = request['toolConfig'];
  const lists = [request['tools'], request['functions'], isJsonObject(config) ? config['tools'] : undefined];
  for (const tool of lists.flatMap(asList)) {
    const inner = isJsonObject(tool)
      ? // Gemini's; a namespace of OpenAI's, in which Codex offers the tools of a server.
        [tool['functionDeclarations'], tool['function_declarations'], tool['tools']].flatMap(asList)
      : [];
    for (const one of inner.length > 0 ? inner : [tool]) addTool(found, one);
  }
  return found;
}

function addTool(found: Map<string, DefinedTool>, tool: unknown): void {
  if (!isJsonObject(tool)) return;
  const body = [tool['function'], tool['custom'], tool['toolSpec']].find(isJsonObject) ?? tool;
  const name = body['name'] ?? tool['type'];
  if (typeof name !== 'string') return;
  const schema =
    body['parameters'] ?? body['input_schema'] ?? body['inputSchema'] ?? body['parametersJsonSchema'];
  const plain = isJsonObject(schema) && isJsonObject(schema['json']) ? schema['json'] : schema;
  const properties = isJsonObject(plain) ? plain['properties'] : undefined;
  const hints = [body['annotations'], tool['annotations']].find(isJsonObject) ?? {};
  found.set(name, {
    name,
    parameters: isJsonObject(properties) ? Object.keys(properties) : [],
    schema: isJsonObject(plain) ? plain : null,
    isDestructive: hintOf(hints, 'destructiveHint'),
    isOpenWorld: hintOf(hints, 'openWorldHint'),
  });
}

function hintOf(hints: JsonObject, name: string): boolean | null {
  const hint = hints[name];
  return typeof hint === 'boolean' ? hint : null;
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns the tool behind the text at a path of a request: its result names its call. Null: none or unknown. */
export function* readResultTools(
  request: unknown,
  known?: readonly ToolCall[],
): Steps<(path: string) => string | null> {
  const calls = known ?? (yield* readToolCallsInSteps(request));
  yield;
  const names = new Map(calls.flatMap(({ id, name }) => (id === null ? [] : [[id, name] as const])));
  const results = new Map<string, string>();
  yield* noteResults(results, names, request);
  return (path) => {
    if (results.size === 0) return null;
    for (let at = path.length; at > 0; at = path.lastIndexOf('/', at - 1)) {
      const known = results.get(path.slice(0, at));
      if (known !== undefined) return known;
    }
    return null;
  };
}

const IDS = ['tool_call_id', 'tool_use_id', 'call_id', 'toolUseId'] as const;
const MAX_DEPTH = 60;

/** Values between two pauses. */
const STRIDE = 256;

function* noteResults(
  results: Map<string, string>,
  names: ReadonlyMap<string, string>,
  request: unknown,
): Steps<void> {
  const open = [{ value: request, path: '', depth: 0 }];
  for (let read = 1, next = open.pop(); next !== undefined; read++, next = open.pop()) {
    if (read % STRIDE === 0) yield;
    const { value, path, depth } = next;
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) continue;
    if (!Array.isArray(value)) noteResult(results, names, value as JsonObject, path);
    const isList = Array.isArray(value);
    for (const [inner, member] of Object.entries(value))
      open.push({
        ...{ value: member, depth: depth + 1 },
        path: isList ? `${path}/${inner}` : childPointer(path, inner),
      });
  }
}

function noteResult(
  results: Map<string, string>,
  names: ReadonlyMap<string, string>,
  block: JsonObject,
  path: string,
): void {
  const member = IDS.find((name) => typeof block[name] === 'string');
  const byId = member === undefined ? undefined : names.get(block[member] as string);
  const response = block['functionResponse'] ?? block['function_response'];
  const isNamed = block['role'] === 'tool' || block['role'] === 'function';
  const name = byId ?? (isJsonObject(response) ? response['name'] : isNamed ? block['name'] : undefined);
  if (typeof name === 'string' && path !== '') results.set(path, name);
}
