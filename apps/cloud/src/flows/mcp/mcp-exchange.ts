import type { McpTarget } from '../../upstream/mcp-transport.ts';
import type { Principal } from '../authenticate-key.ts';
import type { TextsToEvaluate } from '../evaluate-texts.ts';

/** One message of a client and what its server says in return. */
export interface McpExchange {
  readonly principal: Principal;
  readonly server: McpTarget & { readonly projectId: string };
  /** What every evaluation of it records alike. */
  readonly texts: Pick<TextsToEvaluate, 'route' | 'model' | 'requestId' | 'ipAddress' | 'destinationHost'>;
  /** The conversation, as taints and flow control know it; null: the server has no sessions. */
  readonly session: string | null;
  /** Of the client's message; null: it listens, or answers the server. */
  readonly method: string | null;
  /** The tool that it calls. */
  readonly toolName: string | null;
}
