import type { McpTarget } from '../../upstream/mcp-transport.ts';
import type { Principal } from '../authenticate-key.ts';
import type { Destination, RecordedFacts } from '../decision/subject.ts';

/** One message of a client and the server's messages in response. */
export interface McpExchange {
  readonly principal: Principal;
  readonly server: McpTarget & { readonly projectId: string };
  /** Fields that every evaluation of the exchange records. */
  readonly recorded: RecordedFacts;
  readonly destination: Destination;
  /** The conversation for taints and flow control; null if the server has no sessions. */
  readonly session: string | null;
  /** Method of the client's message; null if the client only listens, or answers the server. */
  readonly method: string | null;
  /** Id of the client's message; null: it is no request. */
  readonly requestId: string | number | null;
  /** True if the client reopens a stream, in which responses to any of its requests may follow. */
  readonly isResumed: boolean;
  /** Name of the tool that the message calls. */
  readonly toolName: string | null;
}
