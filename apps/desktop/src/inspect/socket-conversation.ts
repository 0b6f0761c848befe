import { formatByName } from '@csg/shared/providers';
import { BodyError } from '@csg/shared/text';
import { newReading, type RequestReading } from './request-reading.ts';

/** The conversation of a WebSocket that speaks in events of the Responses or the Realtime API. */
export interface SocketConversation {
  /** Adds a parsed message that reached the other side; other events are ignored. */
  add(message: unknown, sizeBytes: number): void;
  /** Returns the conversation so far as one request of the Responses API. */
  reading(): RequestReading;
}

type Json = Readonly<Record<string, unknown>>;

/** Maximum number of stored characters; beyond it the oldest items are dropped. */
const MAX_CHARACTERS = 8_000_000;
const FORMAT = 'openai-responses';

export function createSocketConversation(): SocketConversation {
  const items: { readonly item: unknown; readonly size: number }[] = [];
  let size = 0;
  let settings: Json = {};

  function keep(item: unknown, length: number): void {
    items.push({ item, size: length });
    size += length;
    while (size > MAX_CHARACTERS && items.length > 1) size -= items.shift()!.size;
  }

  return {
    add(event, sizeBytes) {
      if (!isJson(event) || !ADDS.has(event['type'])) return;
      const { instructions, tools, model } = settingsOf(event);
      settings = {
        ...settings,
        ...(instructions !== undefined && { instructions }),
        ...(tools !== undefined && { tools }),
        ...(model !== undefined && { model }),
      };
      for (const item of itemsOf(event)) keep(item, sizeBytes);
    },
    reading() {
      const value = { ...settings, input: items.map(({ item }) => item) };
      const format = formatByName(FORMAT);
      try {
        return newReading({ format, value, ...format.readRequest(value, () => JSON.stringify(value)) });
      } catch (error) {
        if (!(error instanceof BodyError)) throw error;
        return newReading({ format, value, problem: error.message });
      }
    },
  };
}

const ADDS: ReadonlySet<unknown> = new Set([
  'response.create',
  'response.output_item.done',
  'conversation.item.create',
  'session.update',
]);

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Events with model settings: `response.create` directly or in `response`, `session.update`. */
function settingsOf(event: Json): Json {
  for (const part of [event['response'], event['session'], event]) {
    if (isJson(part) && ('instructions' in part || 'tools' in part || 'model' in part)) return part;
  }
  return {};
}

/** Returns the messages, calls and results that an event adds to the conversation. */
function itemsOf(event: Json): readonly unknown[] {
  const { type, item, response } = event;
  switch (type) {
    case 'response.create': {
      const input = event['input'] ?? (isJson(response) ? response['input'] : undefined);
      if (typeof input === 'string') return [{ role: 'user', content: input }];
      return Array.isArray(input) ? input : [];
    }
    case 'conversation.item.create':
    case 'response.output_item.done':
      return isJson(item) ? [item] : [];
    default:
      return [];
  }
}
