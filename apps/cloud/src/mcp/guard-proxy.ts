import { createMcpGuard, type McpEvaluator, type McpMessage, type McpOutcome } from '@csg/shared/providers';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { ToolCallEvaluator } from './tool-call-evaluator.ts';

export interface GuardProxyOptions {
  /** Transport to the assistant. */
  readonly client: Transport;
  /** Transport to the server whose tools are called. */
  readonly server: Transport;
  readonly evaluator: ToolCallEvaluator;
  /** If true, messages pass while the gateway does not respond; by default they are blocked. */
  readonly failOpen: boolean;
  readonly log: (line: string) => void;
}

/** Starts a proxy between an assistant and an MCP server that checks every message of both. */
export async function startGuardProxy(options: GuardProxyOptions): Promise<void> {
  const { client, server, log } = options;
  const guard = createMcpGuard(evaluatorOf(options));

  client.onmessage = (message) => void relay(client, server, guard.fromClient(message as McpMessage));
  server.onmessage = (message) => void relay(server, client, guard.fromServer(message as McpMessage));
  client.onclose = () => void server.close();
  server.onclose = () => void client.close();
  client.onerror = server.onerror = (error) => log(error.message);

  async function relay(from: Transport, to: Transport, work: Promise<McpOutcome>): Promise<void> {
    try {
      const { onward, back, problem } = await work;
      if (problem !== null) log(problem);
      if (back !== null) await from.send(back as unknown as JSONRPCMessage);
      if (onward !== null) await to.send(onward as unknown as JSONRPCMessage);
    } catch (error) {
      log(error instanceof Error ? error.message : String(error));
    }
  }

  await server.start();
  await client.start();
}

function evaluatorOf({ evaluator, failOpen, log }: GuardProxyOptions): McpEvaluator {
  const noResponse = (error: unknown): string | null => {
    log(`The gateway did not respond: ${error instanceof Error ? error.message : String(error)}`);
    return failOpen ? null : 'The content security gateway did not respond.';
  };
  return {
    async evaluateCall(tool, input) {
      try {
        const { allowed, reason } = await evaluator.validate(tool, input);
        return allowed ? null : reason;
      } catch (error) {
        return noResponse(error);
      }
    },
    async evaluateContent({ texts, from }) {
      // The guard skips empty texts.
      const filled = texts.filter((text) => text.length > 0);
      try {
        const { allowed, reason, texts: read } = await evaluator.read(filled, from);
        const redacted = read.values();
        const written = texts.map((text) => (text === '' ? '' : (redacted.next().value ?? text)));
        return allowed ? { reason: null, texts: written } : { reason };
      } catch (error) {
        return { reason: noResponse(error) };
      }
    },
  };
}
