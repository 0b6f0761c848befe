import type { GatewayClient } from '@csg/client';

export interface Ruling {
  readonly allowed: boolean;
  /** For the model and the person using it. */
  readonly reason: string;
}

export interface TextRuling extends Ruling {
  /** One per text, masked if necessary. */
  readonly texts: readonly string[];
}

/** Checks tool calls, and the texts sent and returned, for a proxy. Rejects if the gateway does not respond. */
export interface ToolCallEvaluator {
  validate(toolName: string, args: Readonly<Record<string, unknown>>): Promise<Ruling>;
  read(texts: readonly string[], from: 'client' | 'server'): Promise<TextRuling>;
}

export interface EvaluatorOptions {
  /** Name of the agent in the gateway's records and statistics. */
  readonly agentId: string;
  /** Identifies one conversation: what was read in it affects later outgoing calls. */
  readonly sessionId: string;
}

export function createToolCallEvaluator(
  gateway: GatewayClient,
  { agentId, sessionId }: EvaluatorOptions,
): ToolCallEvaluator {
  return {
    async validate(toolName, args) {
      const { data } = await gateway.POST('/api/v1/agent/validate-tool', {
        body: { agent_id: agentId, session_id: sessionId, tool_name: toolName, arguments: args as never },
      });
      return { allowed: data?.allowed === true, reason: data?.reason ?? 'The gateway did not respond.' };
    },
    async read(texts, from) {
      if (texts.length === 0) return { allowed: true, reason: '', texts };
      const { data } = await gateway.POST('/api/v1/guard', {
        body: {
          // Messages to the server are written by the assistant; messages from the server are untrusted.
          messages: texts.map((content) => ({ role: from === 'server' ? 'tool' : 'assistant', content })),
          direction: from === 'server' ? 'input' : 'output',
          context: { agent_id: agentId, session_id: sessionId },
        },
      });
      const reason = data?.threats.map(({ details }) => details).join(' ') ?? 'The gateway did not respond.';
      const masked = data?.redacted_messages?.map(({ content }) => content);
      return {
        allowed: data !== undefined && data.decision !== 'block',
        reason,
        texts: masked?.length === texts.length ? masked : texts,
      };
    },
  };
}
