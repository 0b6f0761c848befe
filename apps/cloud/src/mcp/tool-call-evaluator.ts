import type { GatewayClient } from '@csg/client';

export interface Ruling {
  readonly allowed: boolean;
  /** For the model and the person in front of it. */
  readonly reason: string;
}

export interface TextRuling extends Ruling {
  /** One for each text that was read, masked where it has to be. */
  readonly texts: readonly string[];
}

/** What a proxy asks before a tool is called, and of what comes back. Rejects where the gateway gives no answer. */
export interface ToolCallEvaluator {
  validate(toolName: string, args: Readonly<Record<string, unknown>>): Promise<Ruling>;
  read(texts: readonly string[], from: 'client' | 'server'): Promise<TextRuling>;
}

export interface EvaluatorOptions {
  /** Who calls, as the gateway's record and its statistics name it. */
  readonly agentId: string;
  /** One conversation: what was read in it counts when something is sent out. */
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
      return { allowed: data?.allowed === true, reason: data?.reason ?? 'The gateway gave no answer.' };
    },
    async read(texts, from) {
      if (texts.length === 0) return { allowed: true, reason: '', texts };
      const { data } = await gateway.POST('/api/v1/guard', {
        body: {
          // What leaves for the server was written by the assistant; what the server sends is untrusted.
          messages: texts.map((content) => ({ role: from === 'server' ? 'tool' : 'assistant', content })),
          direction: from === 'server' ? 'input' : 'output',
          context: { agent_id: agentId, session_id: sessionId },
        },
      });
      const reason = data?.threats.map(({ details }) => details).join(' ') ?? 'The gateway gave no answer.';
      const masked = data?.redacted_messages?.map(({ content }) => content);
      return {
        allowed: data !== undefined && data.decision !== 'block',
        reason,
        texts: masked?.length === texts.length ? masked : texts,
      };
    },
  };
}
