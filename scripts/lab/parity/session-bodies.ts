/** A recorded session as an agent sends it in three interfaces, one of them also over a WebSocket, with the tools that it calls. */
import { isJsonObject } from '../../../shared/providers/index.ts';
import type { Message } from '../flows/planted-orders.ts';

interface Call {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface Interface {
  readonly host: string;
  readonly devicePath: string;
  readonly gatewayPath: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body is a message of a WebSocket. */
  readonly isSocket?: boolean;
  /** `tools`: those that the session calls, in all requests. */
  bodyOf(messages: readonly Message[], tools: readonly Message[]): object;
}

const callsOf = (message: Message): readonly Call[] => (message['tool_calls'] as Call[] | undefined) ?? [];
const textOf = ({ content }: Message): string =>
  typeof content === 'string' ? content : content == null ? '' : JSON.stringify(content);

function argumentsOf({ function: { arguments: written } }: Call): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(written);
    return isJsonObject(value) ? { ...value } : { value };
  } catch {
    return { value: written };
  }
}

/** The tools of a session: their names, and the parameters that its calls give. */
export function toolsOf(messages: readonly Message[]): Message[] {
  const found = new Map<string, Record<string, unknown>>();
  for (const call of messages.flatMap(callsOf)) {
    const known = found.get(call.function.name) ?? {};
    for (const name of Object.keys(argumentsOf(call))) known[name] = {};
    found.set(call.function.name, known);
  }
  return [...found].map(([name, properties]) => ({ name, schema: { type: 'object', properties } }) as never);
}

const CHAT: Interface = {
  ...{ host: 'api.openai.com', devicePath: '/v1/chat/completions', gatewayPath: '/api/v1/chat/completions' },
  headers: {},
  bodyOf: (messages, tools) => ({
    model: 'm',
    ...(tools.length > 0 && {
      tools: tools.map(({ name, schema }) => ({ type: 'function', function: { name, parameters: schema } })),
    }),
    messages,
  }),
};

const MESSAGES: Interface = {
  ...{ host: 'api.anthropic.com', devicePath: '/v1/messages', gatewayPath: '/api/v1/messages' },
  headers: { 'anthropic-version': '2023-06-01' },
  bodyOf: (messages, tools) => ({
    ...{ model: 'm', max_tokens: 100 },
    ...(tools.length > 0 && { tools: tools.map(({ name, schema }) => ({ name, input_schema: schema })) }),
    system: messages
      .filter(({ role }) => role === 'system')
      .map((one) => ({ type: 'text', text: textOf(one) })),
    messages: messages.filter(({ role }) => role !== 'system').map(asAnthropic),
  }),
};

function asAnthropic(message: Message): object {
  const text = textOf(message);
  if (message.role === 'tool') {
    const content = [{ type: 'tool_result', tool_use_id: message['tool_call_id'], content: text }];
    return { role: 'user', content };
  }
  if (message.role !== 'assistant') return { role: 'user', content: text };
  const calls = callsOf(message).map((call) => ({
    ...{ type: 'tool_use', id: call.id, name: call.function.name, input: argumentsOf(call) },
  }));
  return { role: 'assistant', content: [...(text === '' ? [] : [{ type: 'text', text }]), ...calls] };
}

const RESPONSES: Interface = {
  ...{ host: 'api.openai.com', devicePath: '/v1/responses', gatewayPath: '/api/v1/responses' },
  headers: {},
  bodyOf: (messages, tools) => ({
    model: 'm',
    ...(tools.length > 0 && {
      tools: tools.map(({ name, schema }) => ({ type: 'function', name, parameters: schema })),
    }),
    input: messages.flatMap(asItems),
  }),
};

function asItems(message: Message): object[] {
  const text = textOf(message);
  if (message.role === 'tool')
    return [{ type: 'function_call_output', call_id: message['tool_call_id'], output: text }];
  const calls = callsOf(message).map((call) => ({
    ...{ type: 'function_call', call_id: call.id },
    ...{ name: call.function.name, arguments: call.function.arguments },
  }));
  return [...(text === '' ? [] : [{ role: message.role, content: text }]), ...calls];
}

const SOCKET: Interface = {
  ...RESPONSES,
  isSocket: true,
  bodyOf: (messages, tools) => ({ type: 'response.create', ...RESPONSES.bodyOf(messages, tools) }),
};

export const INTERFACES: readonly Interface[] = [CHAT, MESSAGES, RESPONSES, SOCKET];
