import { amazonMessage } from '../../../test/support/amazon-stream.ts';
import type { RawReply, Script } from '../../../test/support/test-provider.ts';
import { TOOL } from './client.ts';

/** The model's reply: a text, or a call of `TOOL` with arguments, and the text after the tool's result. */
export interface ModelReply {
  readonly text: string;
  readonly toolInput?: object;
}

/** What a tool returns to the model. */
export const TOOL_RESULT = 'Sunny, 22 degrees';

/** Returns the reply in the format of the provider at the called address, whole or streamed. */
export function scriptFor({ text, toolInput }: ModelReply): Script {
  return ({ url, body }) => {
    const hasResult = body.includes(TOOL_RESULT);
    const reply = { text, ...(toolInput === undefined || hasResult ? {} : { toolInput }) };
    if (url.includes('/converse')) return converseReply(url, reply);
    if (/:(?:streamG|g)enerateContent/.test(url)) return geminiReply(url, reply);
    return reply.toolInput === undefined
      ? { text }
      : { toolCalls: [{ name: TOOL.name, arguments: JSON.stringify(toolInput) }] };
  };
}

/** Returns an error in the format of the provider at this address. */
export function errorFor(status: number, message: string): Script {
  return ({ url, headers }) => {
    if (url.includes('/converse')) {
      return {
        status,
        headers: { 'x-amzn-errortype': AMAZON_ERRORS[status] ?? '' },
        body: json({ message }),
      };
    }
    const type = 'error_of_provider';
    const error = url.includes('models/') ? { code: status, message, status: 'UNKNOWN' } : { message, type };
    const isAnthropic = headers['anthropic-version'] !== undefined;
    // Shortens the wait of a client that retries.
    const wait = { 'retry-after-ms': '1', 'x-should-retry': String(status !== 400) };
    return { status, headers: wait, body: json({ ...(isAnthropic ? { type: 'error' } : {}), error }) };
  };
}

const AMAZON_ERRORS: Readonly<Record<number, string>> = {
  400: 'ValidationException',
  429: 'ThrottlingException',
  500: 'InternalServerException',
  529: 'ModelErrorException',
};
const json = (value: object): string => JSON.stringify(value);

function geminiReply(url: string, { text, toolInput }: ModelReply): RawReply {
  const part =
    toolInput === undefined ? { text } : { functionCall: { id: 'call_1', name: TOOL.name, args: toolInput } };
  const content = { role: 'model', parts: [part] };
  const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 2, totalTokenCount: 3 };
  const body = json({ candidates: [{ content, finishReason: 'STOP', index: 0 }], usageMetadata });
  return url.includes(':streamGenerateContent')
    ? { headers: { 'content-type': 'text/event-stream' }, body: `data: ${body}\r\n\r\n` }
    : { body };
}

function converseReply(url: string, { text, toolInput }: ModelReply): RawReply {
  const start = { toolUseId: 'tool_1', name: TOOL.name };
  const usage = { inputTokens: 1, outputTokens: 2, totalTokens: 3 };
  const stopReason = toolInput === undefined ? 'end_turn' : 'tool_use';
  if (!url.endsWith('-stream')) {
    const content = [toolInput === undefined ? { text } : { toolUse: { ...start, input: toolInput } }];
    const message = { role: 'assistant', content };
    return { body: json({ output: { message }, stopReason, usage, metrics: { latencyMs: 1 } }) };
  }
  const pieces = (text.match(/.{1,5}/gs) ?? []).map((piece) => ({ text: piece }));
  const events: [string, object][] = [
    ['messageStart', { role: 'assistant' }],
    ...pieces.map((delta): [string, object] => ['contentBlockDelta', { contentBlockIndex: 0, delta }]),
    ['contentBlockStop', { contentBlockIndex: 0 }],
    ['messageStop', { stopReason }],
    ['metadata', { usage, metrics: { latencyMs: 1 } }],
  ];
  return {
    headers: { 'content-type': 'application/vnd.amazon.eventstream' },
    body: events.map(([type, payload]) => amazonMessage(type, json(payload))),
  };
}
