import Anthropic from '@anthropic-ai/sdk';
import type { MessageStream } from '@anthropic-ai/sdk/lib/MessageStream';
import OpenAI from 'openai';
import { type AskForCalls, type CallServer, type HandedCall, SCHEMA, TASK, toolsAs } from './handed-call.ts';

const openaiAt = ({ root, key }: CallServer): OpenAI =>
  new OpenAI({
    ...{ apiKey: 'sk-own', baseURL: `${root}/v1`, defaultHeaders: { 'x-api-key': key }, maxRetries: 0 },
  });

const MESSAGES = [{ role: 'user' as const, content: TASK }];

export function askChat(server: CallServer): AskForCalls {
  const client = openaiAt(server);
  const tools = toolsAs((name) => ({ type: 'function' as const, function: { name, parameters: SCHEMA } }));
  const body = { model: 'm', messages: MESSAGES, tools };
  return async (isStream, hand) => {
    const { choices } = isStream
      ? await client.chat.completions
          .stream(body)
          .on('tool_calls.function.arguments.done', (call) =>
            hand({ name: call.name, given: call.arguments }),
          )
          .finalChatCompletion()
      : await client.chat.completions.create(body);
    return choices.flatMap(({ message }) => {
      const calls: readonly unknown[] = Array.isArray(message?.tool_calls) ? message.tool_calls : [];
      const alone = message?.function_call;
      return [
        ...calls.map(chatCall),
        ...(alone == null ? [] : [{ name: alone.name, given: alone.arguments }]),
      ];
    });
  };
}

function chatCall(call: unknown): HandedCall {
  const {
    type,
    function: fn,
    custom,
  } = (call ?? {}) as {
    readonly type?: unknown;
    readonly function?: { readonly name?: unknown; readonly arguments?: unknown };
    readonly custom?: { readonly name?: unknown; readonly input?: unknown };
  };
  return type === 'custom'
    ? { name: custom?.name, given: custom?.input }
    : { name: fn?.name, given: fn?.arguments };
}

export function askResponses(server: CallServer): AskForCalls {
  const client = openaiAt(server);
  const tools = toolsAs((name) => ({ type: 'function' as const, name, parameters: SCHEMA, strict: null }));
  const body = { model: 'm', input: TASK, tools };
  return async (isStream, hand) => {
    const { output } = isStream
      ? await client.responses
          .stream(body)
          .on('response.output_item.done', ({ item }) => callsIn(item).forEach(hand))
          .finalResponse()
      : await client.responses.create(body);
    return output.flatMap(callsIn);
  };
}

function callsIn(item: OpenAI.Responses.ResponseOutputItem): HandedCall[] {
  if (item.type === 'function_call') return [{ name: item.name, given: item.arguments }];
  return item.type === 'custom_tool_call' ? [{ name: item.name, given: item.input }] : [];
}

export function askMessages({ root, key }: CallServer): AskForCalls {
  const headers = { defaultHeaders: { 'x-api-key': key }, maxRetries: 0 };
  const client = new Anthropic({ apiKey: null, authToken: 'sk-ant-own', baseURL: root, ...headers });
  const tools = toolsAs((name) => ({ name, input_schema: SCHEMA }));
  const body = { model: 'm', max_tokens: 9, messages: MESSAGES, tools };
  return async (isStream, hand) =>
    isStream
      ? await finish(client.messages.stream(body), hand)
      : toolUses((await client.messages.create(body)).content);
}

/** The calls of a message, and of a stream, as every program of Anthropic's package finds them. */
export const toolUses = (content: readonly Anthropic.ContentBlock[]): HandedCall[] =>
  content.flatMap((block) => (block.type === 'tool_use' ? [{ name: block.name, given: block.input }] : []));

export async function finish(
  stream: MessageStream,
  hand: (call: HandedCall) => void,
): Promise<readonly HandedCall[]> {
  stream.on('contentBlock', (block) => toolUses([block]).forEach(hand));
  return toolUses((await stream.finalMessage()).content);
}
