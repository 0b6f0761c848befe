import { changesBetween } from '../../text/index.ts';
import { readLeafTexts } from '../read-unknown.ts';
import { isJsonObject } from '../reading/text-collector.ts';
import { replacementsByPath, writeTexts } from '../writing/write-texts.ts';

/** A JSON-RPC message. */
export type McpMessage = Readonly<Record<string, unknown>>;

/** The content of a message other than a call: all its texts. */
export interface McpContent {
  /** The tool or the method of the message. */
  readonly source: string;
  readonly from: 'client' | 'server';
  readonly value: unknown;
  readonly texts: readonly string[];
}

export interface McpContentRuling {
  /** Null: allowed. */
  readonly reason: string | null;
  /** The texts in order, redacted if necessary; absent: unchanged. */
  readonly texts?: readonly string[];
}

export interface McpEvaluator {
  /** Resolves to null if the call is allowed, otherwise to the reason. */
  evaluateCall(tool: string, input: Readonly<Record<string, unknown>>): Promise<string | null>;
  evaluateContent(content: McpContent): Promise<McpContentRuling>;
}

/** The result of evaluating a message. */
export interface McpOutcome {
  /** The message for the other side; null: none. The same object: unchanged. */
  readonly onward: McpMessage | null;
  /** The reply to the sender. */
  readonly back: McpMessage | null;
  readonly problem: string | null;
}

/** Evaluates each call between an assistant and an MCP server before it is made, and reads every text. */
export interface McpGuard {
  fromClient(message: McpMessage): Promise<McpOutcome>;
  fromServer(message: McpMessage): Promise<McpOutcome>;
}

interface PendingRequest {
  readonly method: string;
  readonly source: string;
}

/** In JSON-RPC's range for server errors. */
const REJECTED_CODE = -32001;
const INVALID_PARAMS = -32602;
/** Names of the protocol, which are not texts. */
const METHODS = new Set([
  ...['initialize', 'ping', 'tools/call', 'tools/list', 'resources/list', 'resources/read'],
  ...[
    'resources/templates/list',
    'resources/subscribe',
    'resources/unsubscribe',
    'prompts/list',
    'prompts/get',
  ],
  ...[
    'completion/complete',
    'logging/setLevel',
    'sampling/createMessage',
    'roots/list',
    'elicitation/create',
  ],
  ...['initialized', 'cancelled', 'progress', 'message', 'roots/list_changed', 'tools/list_changed'].map(
    (name) => `notifications/${name}`,
  ),
  ...['resources/list_changed', 'resources/updated', 'prompts/list_changed', 'elicitation/complete'].map(
    (name) => `notifications/${name}`,
  ),
]);

/** Member names of messages without a text. */
const MEMBERS = new Set([
  'params',
  'result',
  '_meta',
  'capabilities',
  'progressToken',
  'requestId',
  'cursor',
]);

export function createMcpGuard(evaluator: McpEvaluator): McpGuard {
  /** Requests of the assistant, until the server has responded. */
  const pending = new Map<string, PendingRequest>();

  async function fromClient(message: McpMessage): Promise<McpOutcome> {
    const { id, method } = message;
    const name = typeof method === 'string' ? method : 'response';
    if (name === 'tools/call') return await callFromClient(message);
    const outcome = await readContent(message, name, 'client', texts(message));
    if (id !== undefined && method !== undefined && outcome.onward !== null)
      pending.set(JSON.stringify(id), { method: name, source: name });
    return outcome;
  }

  async function callFromClient(message: McpMessage): Promise<McpOutcome> {
    const { id, params } = message;
    const call = params ?? {};
    const input = (isJsonObject(call) ? call['arguments'] : null) ?? {};
    if (!isJsonObject(call) || typeof call['name'] !== 'string' || !isJsonObject(input)) {
      const problem = 'A call needs a name and arguments that are an object.';
      return denied(rpcError(id, problem, INVALID_PARAMS), problem);
    }
    const { name: tool, arguments: _input, ...beside } = call;
    const reason = await evaluator.evaluateCall(String(tool), input);
    if (reason !== null) {
      const problem = `The call of ${tool} was not made. ${reason}`;
      return denied(toolError(id, problem), problem);
    }
    const outcome = await readContent(message, String(tool), 'client', {
      ...{ ...texts(message), params: beside },
    });
    if (id !== undefined && outcome.onward !== null)
      pending.set(JSON.stringify(id), { method: 'tools/call', source: String(tool) });
    return outcome;
  }

  async function fromServer(message: McpMessage): Promise<McpOutcome> {
    const { id, method } = message;
    if (method !== undefined || id === undefined)
      return await readContent(message, String(method ?? 'notification'), 'server', texts(message));
    const key = JSON.stringify(id);
    const request = pending.get(key);
    pending.delete(key);
    // The response repeats the assistant's id, which was read with the request.
    const { id: _id, ...rest } = texts(message);
    const source = request?.source ?? 'unknown request';
    return await readContent(
      message,
      source,
      'server',
      request === undefined ? texts(message) : rest,
      request,
    );
  }

  async function readContent(
    message: McpMessage,
    source: string,
    from: McpContent['from'],
    value: Readonly<Record<string, unknown>>,
    request?: PendingRequest,
  ): Promise<McpOutcome> {
    const read = readLeafTexts(value, from === 'client' ? 'tool_call' : 'tool_result');
    const { unscanned } = read;
    const slots = read.slots.filter(({ isKey, text }) => isKey !== true || !MEMBERS.has(text));
    if (slots.length === 0 && unscanned.length === 0) return passes(message);
    const before = slots.map(({ text }) => text);
    const ruling = await evaluator.evaluateContent({ source, from, value, texts: before });
    if (ruling.reason !== null) return withhold(message, source, ruling.reason, request);
    const changed = slots.flatMap((slot, index) => {
      const text = ruling.texts?.[index];
      return text === undefined || text === slot.text
        ? []
        : [[index, changesBetween(slot.text, text)] as const];
    });
    if (changed.length === 0) return passes(message);
    const written = writeTexts(JSON.stringify(message), replacementsByPath(slots, new Map(changed)));
    return passes(JSON.parse(written) as McpMessage);
  }

  return { fromClient, fromServer };
}

/** Returns everything that a message contains; the parts of a call are evaluated with the call. */
function texts({ jsonrpc: _version, method, id, ...rest }: McpMessage): Record<string, unknown> {
  return {
    ...rest,
    ...(typeof method === 'string' && METHODS.has(method) ? {} : { method }),
    ...(typeof id === 'number' ? {} : { id }),
  };
}

function withhold(message: McpMessage, source: string, reason: string, request?: PendingRequest): McpOutcome {
  const { id, method } = message;
  const what = method === undefined ? 'The result' : 'The message';
  const problem = `${what} of ${source} was withheld. ${reason}`;
  // Notifications, and responses to unknown requests, get no reply.
  if (id === undefined) return denied(null, problem);
  if (method !== undefined) return denied(rpcError(id, problem), problem);
  if (source === 'unknown request') return denied(null, problem);
  const onward = request?.method === 'tools/call' ? toolError(id, problem) : rpcError(id, problem);
  return { onward, back: null, problem };
}

const passes = (onward: McpMessage): McpOutcome => ({ onward, back: null, problem: null });
const denied = (back: McpMessage | null, problem: string): McpOutcome => ({ onward: null, back, problem });

function toolError(id: unknown, text: string): McpMessage {
  return { jsonrpc: '2.0', id, result: { isError: true, content: [{ type: 'text', text }] } };
}

function rpcError(id: unknown, message: string, code = REJECTED_CODE): McpMessage {
  return { jsonrpc: '2.0', id: id ?? null, error: { code, message } };
}
