import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { CALLED, type CallApi, type CallForm } from './call-forms.ts';

/** A call as an official package gives it to its program. */
export interface HandedCall {
  readonly name: unknown;
  /** Text, or what the package parsed. */
  readonly given: unknown;
}

export interface HandedCalls {
  readonly calls: readonly HandedCall[];
  /** What the package threw; null: it gave the whole answer. */
  readonly error: unknown;
}

/** Asks for an answer as a program does, at the root of a provider or a gateway. */
export type AskForCalls = (form: CallForm) => Promise<HandedCalls>;

export function createAsk(api: CallApi, root: string, key: string): AskForCalls {
  const headers = { defaultHeaders: { 'x-api-key': key }, maxRetries: 0 };
  const openai = new OpenAI({ apiKey: 'sk-own', baseURL: `${root}/v1`, ...headers });
  const anthropic = new Anthropic({ apiKey: null, authToken: 'sk-ant-own', baseURL: root, ...headers });
  const ask = {
    chat: () => askChat(openai),
    messages: () => askMessages(anthropic),
    responses: () => askResponses(openai),
  }[api]();
  return async ({ isStream }) => {
    try {
      const calls = await ask(isStream);
      // Without a name and arguments there is nothing that a program could run.
      return { calls: calls.filter(({ name, given }) => name != null || given != null), error: null };
    } catch (error) {
      return { calls: [], error };
    }
  };
}

type Ask = (isStream: boolean) => Promise<HandedCall[]>;
const TASK = 'List the files';
const schema = { type: 'object' as const };

function askChat(client: OpenAI): Ask {
  const tools = CALLED.map((name) => ({ type: 'function' as const, function: { name, parameters: schema } }));
  const body = { model: 'm', messages: [{ role: 'user' as const, content: TASK }], tools };
  return async (isStream) => {
    const { choices } = isStream
      ? await client.chat.completions.stream(body).finalChatCompletion()
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

function askMessages(client: Anthropic): Ask {
  const tools = CALLED.map((name) => ({ name, input_schema: schema }));
  const body = { model: 'm', max_tokens: 9, messages: [{ role: 'user' as const, content: TASK }], tools };
  return async (isStream) => {
    const { content } = isStream
      ? await client.messages.stream(body).finalMessage()
      : await client.messages.create(body);
    return content.flatMap((block) =>
      block.type === 'tool_use' ? [{ name: block.name, given: block.input }] : [],
    );
  };
}

function askResponses(client: OpenAI): Ask {
  const tools = CALLED.map((name) => ({ type: 'function' as const, name, parameters: schema, strict: null }));
  const body = { model: 'm', input: TASK, tools };
  return async (isStream) => {
    const { output } = isStream
      ? await client.responses.stream(body).finalResponse()
      : await client.responses.create(body);
    return output.flatMap((item) => {
      if (item.type === 'function_call') return [{ name: item.name, given: item.arguments }];
      return item.type === 'custom_tool_call' ? [{ name: item.name, given: item.input }] : [];
    });
  };
}
