import { formatByName } from '@csg/shared/providers';
import { BodyError, parseStrictJson } from '@csg/shared/text';
import { newReading, type RequestReading } from './request-reading.ts';

/** The conversation of a WebSocket that speaks in events of the Responses or the Realtime API. */
export interface SocketConversation {
  /** A message of either side; what is none of these events is left out. */
  add(bytes: Uint8Array): void;
  /** What was said so far, as one request of the Responses API. */
  reading(): RequestReading;
}

type Json = Readonly<Record<string, unknown>>;

/** Characters of items that are kept; beyond it the oldest are forgotten. */
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
    add(bytes) {
      const event = eventOf(bytes);
      if (event === null) return;
      const { instructions, tools, model } = settingsOf(event);
      settings = {
        ...settings,
        ...(instructions !== undefined && { instructions }),
        ...(tools !== undefined && { tools }),
        ...(model !== undefined && { model }),
      };
      for (const item of itemsOf(event)) keep(item, bytes.length);
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

/** Recorded sound comes in many messages: only these are parsed. */
const ADDS = /"(?:response\.create|response\.output_item\.done|conversation\.item\.create|session\.update)"/;
const utf8 = new TextDecoder();

function eventOf(bytes: Uint8Array): Json | null {
  if (!ADDS.test(utf8.decode(bytes))) return null;
  try {
    const { value } = parseStrictJson(bytes);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
  } catch {
    return null;
  }
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Where an event says how the model is to behave: `response.create` by itself or in `response`, `session.update`. */
function settingsOf(event: Json): Json {
  for (const part of [event['response'], event['session'], event]) {
    if (isJson(part) && ('instructions' in part || 'tools' in part || 'model' in part)) return part;
  }
  return {};
}

/** Messages, calls and results that an event adds to the conversation. */
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
