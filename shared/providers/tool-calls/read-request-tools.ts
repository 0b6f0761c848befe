import { childPointer } from '../reading/path.ts';
import { isJsonObject, type JsonObject } from '../reading/text-collector.ts';
import { readToolCalls } from './read-calls.ts';
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
export function readResultTools(
  request: unknown,
  calls: readonly ToolCall[] = readToolCalls(request),
): (path: string) => string | null {
  const names = new Map(calls.flatMap(({ id, name }) => (id === null ? [] : [[id, name] as const])));
  const results = new Map<string, string>();
  noteResults(results, names, request, '', 0);
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

function noteResults(
  results: Map<string, string>,
  names: ReadonlyMap<string, string>,
  value: unknown,
  path: string,
  depth: number,
): void {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) noteResults(results, names, value[i], `${path}/${i}`, depth + 1);
    return;
  }
  const block = value as JsonObject;
  const member = IDS.find((name) => typeof block[name] === 'string');
  const byId = member === undefined ? undefined : names.get(block[member] as string);
  const response = block['functionResponse'] ?? block['function_response'];
  const isNamed = block['role'] === 'tool' || block['role'] === 'function';
  const name = byId ?? (isJsonObject(response) ? response['name'] : isNamed ? block['name'] : undefined);
  if (typeof name === 'string' && path !== '') results.set(path, name);
  for (const inner in block) noteResults(results, names, block[inner], childPointer(path, inner), depth + 1);
}
