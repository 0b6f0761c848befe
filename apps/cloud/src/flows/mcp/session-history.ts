import { formatByName } from '@csg/shared/providers';
import type { CallHistory } from '../agent/trace-tool-calls.ts';
import type { McpExchange } from './mcp-exchange.ts';

/** What this process knows of each session, in bounded memory: tool results for flow control, and open requests. */
export interface SessionHistories {
  /** Notes that the client requested the list of tools: its response may arrive in any stream of the session. */
  noteListing(exchange: ListingExchange): void;
  /** True if a list in response to `id` was requested, and was not sent before. */
  takeListing(exchange: ListingExchange, id: unknown): boolean;
  note(session: string, toolName: string, text: string): void;
  /** Returns the session in the form of chat completions; `tools`: the definitions shown to clients. */
  of(session: string, tools: readonly unknown[]): CallHistory;
}

type ListingExchange = Pick<McpExchange, 'session' | 'requestId' | 'isResumed'>;

interface Session {
  readonly results: { readonly toolName: string; readonly text: string }[];
  size: number;
}

const MAX_SESSIONS = 1_000;
const MAX_SESSION_CHARACTERS = 200_000;
const MAX_CHARACTERS = 20_000_000;
const MAX_LISTINGS = 10_000;

export function createSessionHistories(): SessionHistories {
  const sessions = new Map<string, Session>();
  let size = 0;
  const listings = new Set<string>();

  const drop = (key: string, session: Session): void => {
    sessions.delete(key);
    size -= session.size;
  };

  return {
    noteListing({ session, requestId }) {
      if (session === null || requestId === null) return;
      listings.add(JSON.stringify([session, requestId]));
      const [oldest] = listings;
      if (listings.size > MAX_LISTINGS && oldest !== undefined) listings.delete(oldest);
    },
    takeListing({ session, requestId, isResumed }, id) {
      const isKnown = listings.delete(JSON.stringify([session, id]));
      // A resumed stream may belong to a request that another process noted.
      return isKnown || isResumed || (requestId !== null && id === requestId);
    },
    note(key, toolName, text) {
      const session = sessions.get(key) ?? { results: [], size: 0 };
      // Move the most recently used session to the end.
      drop(key, session);
      session.results.push({ toolName, text: text.slice(0, MAX_SESSION_CHARACTERS) });
      session.size += Math.min(text.length, MAX_SESSION_CHARACTERS);
      while (session.size > MAX_SESSION_CHARACTERS) session.size -= session.results.shift()!.text.length;
      sessions.set(key, session);
      size += session.size;
      for (const [oldest, other] of sessions) {
        if (sessions.size <= MAX_SESSIONS && size <= MAX_CHARACTERS) break;
        drop(oldest, other);
      }
    },
    of(key, tools) {
      const results = sessions.get(key)?.results ?? [];
      const body = {
        tools: tools.map((tool) => ({ type: 'function', function: tool })),
        messages: results.flatMap(({ toolName, text }, index) => [
          callMessage(`call_${index}`, toolName, {}),
          { role: 'tool', tool_call_id: `call_${index}`, content: text },
        ]),
      };
      const source = JSON.stringify(body);
      return { conversation: formatByName('openai-chat').readRequest(body, () => source), body };
    },
  };
}

const callMessage = (id: string, name: string, args: object) => ({
  role: 'assistant',
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
});
