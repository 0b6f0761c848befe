import { isJsonObject } from '@csg/shared/providers';
import { parseStrictJsonText } from '@csg/shared/text';

/** A call before it is made, or what came back of one. Null: nothing against it; otherwise why not. */
export type McpEvaluator = (hook: McpHook) => Promise<string | null>;

export type McpHook =
  | { readonly hook_event_name: 'BeforeMcpCall'; readonly tool_name: string; readonly tool_input: unknown }
  | { readonly hook_event_name: 'AfterMcpCall'; readonly tool_name: string; readonly tool_response: unknown };

/** What becomes of one line. */
export interface McpOutput {
  /** For the other side; null: nothing of it may pass. An allowed line is the one that came. */
  readonly onward: string | null;
  /** For the side it came from. */
  readonly back: readonly string[];
  readonly problem: string | null;
}

/** Between an assistant and an MCP server over standard input and output: JSON-RPC, a message or a batch a line. */
export interface McpGuard {
  fromClient(line: string): Promise<McpOutput>;
  fromServer(line: string): Promise<McpOutput>;
}

type Message = Readonly<Record<string, unknown>>;
type Ruling =
  | { readonly kind: 'pass' }
  | { readonly kind: 'replace'; readonly by: Message; readonly problem: string }
  | { readonly kind: 'reply'; readonly reply: Message; readonly problem: string };

/** Their results bring texts of others to the model. */
const READ_METHODS = new Set(['tools/call', 'tools/list', 'resources/read', 'prompts/get', 'prompts/list']);
/** JSON-RPC: of the server's own choice. */
const REJECTED_CODE = -32001;
const PASS: Ruling = { kind: 'pass' };

export function createMcpGuard(evaluate: McpEvaluator): McpGuard {
  /** Requests of the assistant whose results will be evaluated. */
  const pending = new Map<string, { readonly method: string; readonly tool: string }>();

  async function ruleOnClient(message: Message): Promise<Ruling> {
    const { id, method, params } = message;
    if (typeof method !== 'string' || !READ_METHODS.has(method)) return PASS;
    const call = isJsonObject(params) ? params : {};
    const tool = typeof call['name'] === 'string' ? call['name'] : method;
    if (method === 'tools/call') {
      const input = {
        hook_event_name: 'BeforeMcpCall',
        tool_name: tool,
        tool_input: call['arguments'] ?? {},
      } as const;
      const reason = await evaluate(input);
      const problem = `The call of ${tool} was not made. ${reason}`;
      if (reason !== null) return { kind: 'reply', reply: toolError(id, problem), problem };
    }
    if (id !== undefined) pending.set(JSON.stringify(id), { method, tool });
    return PASS;
  }

  async function ruleOnServer(message: Message): Promise<Ruling> {
    const { id, method, params, result, error } = message;
    if (id === undefined) return PASS;
    const response = (tool: string, value: unknown) =>
      evaluate({ hook_event_name: 'AfterMcpCall', tool_name: tool, tool_response: value ?? null });
    if (typeof method === 'string') {
      // A server may ask for a completion of the assistant's model: its texts are those of others too.
      const reason = await response(method, params);
      const problem = `The server's request ${method} was rejected. ${reason}`;
      return reason === null ? PASS : { kind: 'reply', reply: rpcError(id, problem), problem };
    }
    const key = JSON.stringify(id);
    const request = pending.get(key);
    pending.delete(key);
    if (request === undefined) return PASS;
    const reason = await response(request.tool, result ?? error);
    if (reason === null) return PASS;
    const problem = `The result of ${request.tool} was withheld. ${reason}`;
    const by = request.method === 'tools/call' ? toolError(id, problem) : rpcError(id, problem);
    return { kind: 'replace', by, problem };
  }

  return {
    fromClient: (line) => ruleOnLine(line, ruleOnClient),
    fromServer: (line) => ruleOnLine(line, ruleOnServer),
  };
}

async function ruleOnLine(line: string, rule: (message: Message) => Promise<Ruling>): Promise<McpOutput> {
  let value: unknown;
  try {
    // Strict: what two readers could read differently is passed to neither.
    value = parseStrictJsonText(line);
  } catch (error) {
    return { onward: null, back: [], problem: `A line was dropped: ${(error as Error).message}` };
  }
  const messages: readonly unknown[] = Array.isArray(value) ? value : [value];
  const passing: unknown[] = [];
  const replies: Message[] = [];
  const problems: string[] = [];
  for (const message of messages) {
    const ruling = isJsonObject(message) ? await rule(message) : PASS;
    if (ruling.kind === 'pass') passing.push(message);
    else problems.push(ruling.problem);
    if (ruling.kind === 'replace') passing.push(ruling.by);
    if (ruling.kind === 'reply') replies.push(ruling.reply);
  }
  const write = (list: readonly unknown[]) => JSON.stringify(Array.isArray(value) ? list : list[0]);
  const onward = problems.length === 0 ? line : passing.length === 0 ? null : write(passing);
  const back = replies.length === 0 ? [] : [write(replies)];
  return { onward, back, problem: problems.length === 0 ? null : problems.join(' ') };
}

function toolError(id: unknown, text: string): Message {
  return { jsonrpc: '2.0', id, result: { isError: true, content: [{ type: 'text', text }] } };
}

function rpcError(id: unknown, message: string): Message {
  return { jsonrpc: '2.0', id, error: { code: REJECTED_CODE, message } };
}
