import { formatByName } from '@csg/shared/providers';
import type { CallHistory } from '../agent/trace-tool-calls.ts';
import type { McpExchange } from './mcp-exchange.ts';

/** What this process knows of each session, in bounded memory: tool results for flow control, and open requests. */
export interface SessionHistories {
  /** Notes that the client requested the list of tools: its response may arrive in any stream of the session. */
  noteListing(exchange: ListingExchange): void;
  /** True if a list in response to `id` was requested, and was not sent before. */
  takeListing(exchange: ListingExchange, id: unknown): boolean;
  /** `withheld`: passages of the result that the client does not get, because they give instructions. */
  note(session: string, toolName: string, text: string, withheld?: readonly string[]): void;
  /** Returns the session in the form of chat completions; `tools`: the definitions shown to clients. */
  of(session: string, tools: readonly unknown[]): CallHistory;
}

type ListingExchange = Pick<McpExchange, 'session' | 'requestId' | 'isResumed'>;

interface Session {
  readonly results: { readonly toolName: string; readonly text: string; readonly isWithheld: boolean }[];
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
    note(key, toolName, text, withheld = []) {
      const session = sessions.get(key) ?? { results: [], size: 0 };
      // Move the most recently used session to the end.
      drop(key, session);
      for (const [at, whole] of [text, ...withheld].entries()) {
        const kept = whole.slice(0, MAX_SESSION_CHARACTERS);
        session.results.push({ toolName, text: kept, isWithheld: at > 0 });
        session.size += kept.length;
      }
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
      const conversation = formatByName('openai-chat').readRequest(body, () => source);
      const withheld = new Set(
        results.flatMap(({ isWithheld }, at) => (isWithheld ? [`/messages/${2 * at + 1}/content`] : [])),
      );
      const tainted = conversation.slots
        .filter(({ path }) => withheld.has(path))
        .map((slot) => ({ slot, passages: [{ start: 0, end: slot.text.length }] }));
      return { conversation, body, tainted };
    },
  };
}

const callMessage = (id: string, name: string, args: object) => ({
  role: 'assistant',
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
});
