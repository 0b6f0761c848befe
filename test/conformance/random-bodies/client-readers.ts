import Anthropic from '@anthropic-ai/sdk';
import { Stream as AnthropicStream } from '@anthropic-ai/sdk/core/streaming';
import OpenAI from 'openai';
import { Stream as OpenAIStream } from 'openai/core/streaming';

const HAVE_PACKAGES: ReadonlySet<string> = new Set(['openai-chat', 'openai-responses', 'anthropic-messages']);

/** A stream as a developer's program gets it from its provider's own package. */
export interface ClientReading {
  /** Every event, as delivered one by one. */
  readonly events: readonly unknown[];
  /** The response as the package assembles it, possibly partial. */
  readonly whole: unknown;
}

/** `packets` are the bytes as they arrive; null for an endpoint whose provider has no package here. */
export async function readAsClient(
  endpoint: string,
  packets: readonly Uint8Array[],
): Promise<ClientReading | null> {
  if (!HAVE_PACKAGES.has(endpoint)) return null;
  return { events: await readEvents(endpoint, packets), whole: await readWhole(endpoint, packets) };
}

function responseOf(packets: readonly Uint8Array[]): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const packet of packets) controller.enqueue(packet);
      controller.close();
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

async function readEvents(endpoint: string, packets: readonly Uint8Array[]): Promise<unknown[]> {
  const Reader = endpoint === 'anthropic-messages' ? AnthropicStream : OpenAIStream;
  const events: unknown[] = [];
  const quiet = { logger: { error() {}, warn() {}, info() {}, debug() {} }, logLevel: 'off' } as never;
  try {
    const stream = Reader.fromSSEResponse<unknown>(responseOf(packets), new AbortController(), quiet);
    for await (const event of stream) events.push(event);
  } catch (error) {
    // Users also read the provider's error message.
    events.push((error as { error?: unknown }).error);
  }
  return events;
}

async function readWhole(endpoint: string, packets: readonly Uint8Array[]): Promise<unknown> {
  const options = {
    apiKey: 'none',
    maxRetries: 0,
    logLevel: 'off',
    fetch: async () => responseOf(packets),
  } as const;
  let whole: unknown = null;
  try {
    if (endpoint === 'anthropic-messages') {
      const stream = new Anthropic(options).messages.stream({ model: 'm', max_tokens: 1, messages: [] });
      stream.on('streamEvent', (_event, snapshot) => {
        whole = snapshot;
      });
      await stream.done();
    } else if (endpoint === 'openai-chat') {
      const stream = new OpenAI(options).chat.completions.stream({ model: 'm', messages: [] });
      stream.on('chunk', (_chunk, snapshot) => {
        whole = snapshot;
      });
      await stream.done();
    } else {
      const texts: Record<string, string> = {};
      const stream = new OpenAI(options).responses.stream({ model: 'm', input: '' });
      stream.on('event', (event) => {
        if ('snapshot' in event && typeof event.snapshot === 'string') texts[event.type] = event.snapshot;
      });
      whole = texts;
      await stream.done();
    }
  } catch {
    // A stream that violates the provider's format ends there; the partial response counts.
  }
  return structuredClone(whole);
}
