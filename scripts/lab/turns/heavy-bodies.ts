/** Heavy conversations and answers, as bodies of each interface. */
import { amazonMessage } from '../../../test/support/amazon-stream.ts';
import { ANSWER_FORMS } from '../../../test/support/provider/answers.ts';
import type { RawReply } from '../../../test/support/test-provider.ts';
import type { HeavyAnswer, HeavyCall, HeavyConversation, HeavyMessage } from './heavy-conversations.ts';

export interface Interface {
  readonly path: string;
  /** The path of streams, if they have another one. */
  readonly streamPath?: string;
  request(conversation: HeavyConversation, isStream: boolean): object;
  answer(says: HeavyAnswer, isStream: boolean): RawReply;
}

const J = JSON.stringify;
const JSON_TYPE = { 'content-type': 'application/json' };
const SSE_TYPE = { 'content-type': 'text/event-stream' };
const AMAZON_TYPE = { 'content-type': 'application/vnd.amazon.eventstream' };
const SCHEMA = { type: 'object', properties: { to: { type: 'string', description: 'Whom to send it to.' } } };
const range = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

/** Ids of calls, the same in a call and its result. */
function numbered(
  messages: readonly HeavyMessage[],
): { message: HeavyMessage; ids: string[]; result: string }[] {
  let made = 0;
  return messages.map((message) => {
    const result = `c${made}`;
    const ids = (message.calls ?? []).map(() => `c${++made}`);
    return { message, ids, result };
  });
}

/** A string for one text, parts for more. */
const content = (texts: readonly string[], type = 'text'): unknown =>
  texts.length === 1 ? texts[0] : texts.map((text) => ({ type, text }));

const chatCall = ({ name, args }: HeavyCall, id: string) => ({
  ...{ id, type: 'function', function: { name, arguments: J(args) } },
});

function chatMessages({ messages }: HeavyConversation): object[] {
  return numbered(messages).map(({ message: { role, texts, calls = [] }, ids, result }) => ({
    role,
    content: texts.length === 0 ? null : content(texts),
    ...(role === 'tool' && { tool_call_id: result }),
    ...(calls.length > 0 && { tool_calls: calls.map((call, n) => chatCall(call, ids[n]!)) }),
  }));
}

const toolsOf = <T>({ tools = 0 }: HeavyConversation, each: (name: string, about: string) => T): object =>
  tools === 0
    ? {}
    : { tools: range(tools).map((n) => each(`send_mail_${n}`, `Sends mail ${n} to somebody.`)) };

function streamed(
  form: keyof typeof ANSWER_FORMS,
  { text, calls }: HeavyAnswer,
  isStream: boolean,
): RawReply {
  const says = {
    ...(text !== undefined && { text }),
    ...(calls && { toolCalls: calls.map(({ name, args }) => ({ name, arguments: J(args) })) }),
  };
  return isStream
    ? { headers: SSE_TYPE, body: ANSWER_FORMS[form].frames(says).join('') }
    : { headers: JSON_TYPE, body: J(ANSWER_FORMS[form].whole(says)) };
}

const pieces = (text: string, size = 4): string[] => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];

const chat: Interface = {
  path: '/api/v1/chat/completions',
  request: (conversation, stream) => ({
    ...{ model: 'gpt-test', stream, messages: chatMessages(conversation) },
    ...toolsOf(conversation, (name, description) => ({
      ...{ type: 'function', function: { name, description, parameters: SCHEMA } },
    })),
  }),
  answer: (says, isStream) => streamed('chat', says, isStream),
};

const messages: Interface = {
  path: '/api/v1/messages',
  request: (conversation, stream) => ({
    ...{ model: 'claude-test', max_tokens: 9, stream },
    messages: numbered(conversation.messages).map(({ message: { role, texts, calls = [] }, ids, result }) => {
      if (role === 'tool') {
        const results = [{ type: 'tool_result', tool_use_id: result, content: content(texts) }];
        return { role: 'user', content: results };
      }
      const uses = calls.map(({ name, args }, n) => ({ type: 'tool_use', id: ids[n], name, input: args }));
      const said = uses.length > 0 ? uses : content(texts);
      return { role: role === 'system' ? 'user' : role, content: said };
    }),
    ...toolsOf(conversation, (name, description) => ({ name, description, input_schema: SCHEMA })),
  }),
  answer: (says, isStream) => streamed('messages', says, isStream),
};

const responses: Interface = {
  path: '/api/v1/responses',
  request: (conversation, stream) => ({
    ...{ model: 'gpt-test', stream },
    input: numbered(conversation.messages).flatMap(
      ({ message: { role, texts, calls = [] }, ids, result }): object[] => {
        if (role === 'tool')
          return [{ type: 'function_call_output', call_id: result, output: texts.join('') }];
        const made = calls.map(({ name, args }, n) => ({
          ...{ type: 'function_call', call_id: ids[n], name, arguments: J(args) },
        }));
        const type = role === 'assistant' ? 'output_text' : 'input_text';
        return made.length > 0 ? made : [{ role, content: content(texts, type) }];
      },
    ),
    ...toolsOf(conversation, (name, description) => ({
      ...{ type: 'function', name, description, parameters: SCHEMA },
    })),
  }),
  answer: (says, isStream) => streamed('responses', says, isStream),
};

const geminiParts = (parts: object[], last: boolean) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...(last && { finishReason: 'STOP' }) }],
});

const gemini: Interface = {
  path: '/api/v1beta/models/gemini-test:generateContent',
  streamPath: '/api/v1beta/models/gemini-test:streamGenerateContent?alt=sse',
  request: (conversation) => ({
    contents: numbered(conversation.messages).map(({ message: { role, texts, calls = [] } }) => {
      const result = { functionResponse: { name: 'read_mail', response: { result: texts.join('') } } };
      const parts =
        role === 'tool'
          ? [result]
          : calls.length > 0
            ? calls.map((functionCall) => ({ functionCall }))
            : texts.map((text) => ({ text }));
      return { role: role === 'assistant' ? 'model' : 'user', parts };
    }),
    ...(conversation.tools && {
      tools: [
        {
          functionDeclarations: range(conversation.tools).map((n) => ({
            ...{ name: `send_mail_${n}`, description: `Sends mail ${n} to somebody.`, parameters: SCHEMA },
          })),
        },
      ],
    }),
  }),
  answer({ text, calls }, isStream) {
    const made = (calls ?? []).map((functionCall) => ({ functionCall }));
    const parts = text === undefined ? made : [{ text }];
    if (!isStream) return { headers: JSON_TYPE, body: J(geminiParts(parts, true)) };
    const each = text === undefined ? made : pieces(text).map((piece) => ({ text: piece }));
    const frames = each.map((part, n) => `data: ${J(geminiParts([part], n === each.length - 1))}\r\n\r\n`);
    return { headers: SSE_TYPE, body: frames.join('') };
  },
};

const converse: Interface = {
  path: '/api/v1/model/nova-test/converse',
  streamPath: '/api/v1/model/nova-test/converse-stream',
  request: (conversation) => ({
    messages: numbered(conversation.messages).map(({ message: { role, texts, calls = [] }, ids, result }) => {
      const parts = texts.map((text) => ({ text }));
      const blocks =
        role === 'tool'
          ? [{ toolResult: { toolUseId: result, content: parts } }]
          : calls.length > 0
            ? calls.map(({ name, args }, n) => ({ toolUse: { toolUseId: ids[n], name, input: args } }))
            : parts;
      return { role: role === 'assistant' ? 'assistant' : 'user', content: blocks };
    }),
    ...(conversation.tools && {
      toolConfig: toolsOf(conversation, (name, description) => ({
        toolSpec: { name, description, inputSchema: { json: SCHEMA } },
      })),
    }),
  }),
  answer({ text, calls = [] }, isStream) {
    const uses = calls.map(({ name, args }, n) => ({ toolUse: { toolUseId: `t${n}`, name, input: args } }));
    const blocks = text === undefined ? uses : [{ text }];
    const stopReason = text === undefined ? 'tool_use' : 'end_turn';
    const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
    if (!isStream) {
      const output = { message: { role: 'assistant', content: blocks } };
      return { headers: JSON_TYPE, body: J({ output, stopReason, usage, metrics: { latencyMs: 1 } }) };
    }
    const frames = [amazonMessage('messageStart', J({ role: 'assistant' }))];
    const deltas = (contentBlockIndex: number, ofAll: readonly object[]): void => {
      for (const delta of ofAll)
        frames.push(amazonMessage('contentBlockDelta', J({ contentBlockIndex, delta })));
      frames.push(amazonMessage('contentBlockStop', J({ contentBlockIndex })));
    };
    if (text !== undefined)
      deltas(
        0,
        pieces(text, 16).map((piece) => ({ text: piece })),
      );
    for (const [index, { toolUse }] of uses.entries()) {
      const start = { toolUse: { toolUseId: toolUse.toolUseId, name: toolUse.name } };
      frames.push(amazonMessage('contentBlockStart', J({ contentBlockIndex: index, start })));
      deltas(
        index,
        pieces(J(toolUse.input), 16).map((input) => ({ toolUse: { input } })),
      );
    }
    frames.push(amazonMessage('messageStop', J({ stopReason })), amazonMessage('metadata', J({ usage })));
    return { headers: AMAZON_TYPE, body: Buffer.concat(frames) };
  },
};

/** Interfaces of models: much in the request, and much in the answer. */
export const MODEL_INTERFACES: Readonly<Record<string, Interface>> = {
  'chat/completions': chat,
  messages,
  responses,
  gemini,
  'bedrock converse': converse,
};

export const guardBody = (conversation: HeavyConversation, direction: 'input' | 'output'): object => ({
  direction,
  messages: chatMessages(conversation),
});
