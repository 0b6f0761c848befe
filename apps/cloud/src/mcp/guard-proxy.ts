import { isJsonObject, readLeafTexts, replacementsByPath, writeTexts } from '@csg/shared/providers';
import { changesBetween } from '@csg/shared/text';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, JSONRPCRequest, RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { ToolCallEvaluator } from './tool-call-evaluator.ts';

export interface GuardProxyOptions {
  /** Towards the assistant. */
  readonly client: Transport;
  /** Towards the server whose tools are called. */
  readonly server: Transport;
  readonly evaluator: ToolCallEvaluator;
  /** What happens while the gateway gives no answer: by default nothing passes. */
  readonly failOpen: boolean;
  readonly log: (line: string) => void;
}

/** Answers that bring texts of strangers to the model. */
const READ_METHODS = new Set(['tools/call', 'tools/list', 'resources/read', 'prompts/get', 'prompts/list']);
/** JSON-RPC: of the server's own choice. */
const REJECTED_CODE = -32001;

/**
 * Stands between an assistant and an MCP server: each tool call is validated before it goes on, and what comes back
 * is scanned before the model reads it. Everything else passes as it is.
 */
export async function startGuardProxy(options: GuardProxyOptions): Promise<void> {
  const { client, server, evaluator } = options;
  const requestMethods = new Map<RequestId, string>();

  client.onmessage = (message) => void relay(server, fromClient(message));
  server.onmessage = (message) => void relay(client, fromServer(message));
  client.onclose = () => void server.close();
  server.onclose = () => void client.close();
  client.onerror = server.onerror = (error) => options.log(error.message);

  async function relay(to: Transport, work: Promise<JSONRPCMessage | null>): Promise<void> {
    try {
      const message = await work;
      if (message !== null) await to.send(message);
    } catch (error) {
      options.log(error instanceof Error ? error.message : String(error));
    }
  }

  async function fromClient(message: JSONRPCMessage): Promise<JSONRPCMessage | null> {
    if (!isRequest(message)) return message;
    if (message.method === 'tools/call') {
      const { name, arguments: args } = (message.params ?? {}) as { name?: unknown; arguments?: unknown };
      const ruling = await withFallback(() =>
        evaluator.validate(String(name), isJsonObject(args) ? args : {}),
      );
      if (!ruling.allowed) {
        options.log(`refused ${String(name)}: ${ruling.reason}`);
        const text = `This call was not made. ${ruling.reason}`;
        await client.send({
          jsonrpc: '2.0',
          id: message.id,
          result: { isError: true, content: [{ type: 'text', text }] },
        });
        return null;
      }
    }
    if (READ_METHODS.has(message.method)) requestMethods.set(message.id, message.method);
    return message;
  }

  async function fromServer(message: JSONRPCMessage): Promise<JSONRPCMessage | null> {
    if (isRequest(message)) return await fromServersRequest(message);
    if (!('id' in message) || message.id === undefined) return message;
    const method = requestMethods.get(message.id);
    requestMethods.delete(message.id);
    if (method === undefined || !('result' in message)) return message;
    const read = await readAll(message.result);
    if (read.allowed) return { ...message, result: read.value as typeof message.result };
    options.log(`refused what ${method} brought: ${read.reason}`);
    const text = `What came back was withheld. ${read.reason}`;
    return method === 'tools/call'
      ? { ...message, result: { isError: true, content: [{ type: 'text', text }] } }
      : { jsonrpc: '2.0', id: message.id, error: { code: REJECTED_CODE, message: text } };
  }

  /** A server may ask for a completion of the assistant's model, or a person's word: its texts are strangers' too. */
  async function fromServersRequest(message: JSONRPCRequest): Promise<JSONRPCMessage | null> {
    const read = await readAll(message.params ?? {});
    if (read.allowed) return { ...message, params: read.value as NonNullable<typeof message.params> };
    options.log(`refused the server's ${message.method}: ${read.reason}`);
    const error = { code: REJECTED_CODE, message: read.reason };
    await server.send({ jsonrpc: '2.0', id: message.id, error });
    return null;
  }

  async function readAll(
    value: unknown,
  ): Promise<{ readonly allowed: boolean; readonly reason: string; readonly value: unknown }> {
    const slots = readLeafTexts(value, 'tool_result').slots.filter(({ text }) => text.length > 0);
    const texts = slots.map(({ text }) => text);
    const ruling = await withFallback(() => evaluator.read(texts));
    const changed = slots.flatMap((slot, index) => {
      const text = 'texts' in ruling ? ruling.texts[index] : undefined;
      return text === undefined || text === slot.text ? [] : [[index, text] as const];
    });
    if (changed.length === 0 || !ruling.allowed) return { ...ruling, value };
    const replacements = new Map(
      changed.map(([index, text]) => [index, changesBetween(slots[index]!.text, text)]),
    );
    const written = writeTexts(JSON.stringify(value), replacementsByPath(slots, replacements));
    return { ...ruling, value: JSON.parse(written) };
  }

  async function withFallback<T extends { readonly allowed: boolean; readonly reason: string }>(
    call: () => Promise<T>,
  ): Promise<T | { readonly allowed: boolean; readonly reason: string }> {
    try {
      return await call();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      options.log(`the gateway gave no answer: ${why}`);
      return { allowed: options.failOpen, reason: 'The content security gateway gave no answer.' };
    }
  }

  await server.start();
  await client.start();
}

function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return 'method' in message && 'id' in message;
}
