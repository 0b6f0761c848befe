import { endpointByName } from '@csg/shared/providers';
import { onTheWire } from './amazon-stream.ts';

/** A signed block of one interface: in an answer, whole or streamed, and in the history of the next request. */
export interface SignedTurn {
  readonly name: string;
  readonly path: (isStream: boolean) => string;
  readonly headers: Readonly<Record<string, string>>;
  /** The block with a text of the model. `seal` makes it another block. */
  readonly block: (text: string, seal?: string) => object;
  readonly request: (history: readonly object[]) => object;
  readonly answer: (block: object) => object;
  /** Frames of the answer, with the model's text in pieces where the interface sends it so. */
  readonly stream: (block: object, pieces: readonly string[]) => string | Buffer;
  readonly streamType: string;
}

const SEAL = 'EqQBCkYIBxgCKkDs';
const frame = (value: { readonly type?: string; readonly [name: string]: unknown }): string =>
  `${value.type === undefined ? '' : `event: ${value.type}\n`}data: ${JSON.stringify(value)}\n\n`;

const messages = (name: string, block: SignedTurn['block']): SignedTurn => ({
  name,
  path: () => '/api/v1/messages',
  headers: { 'anthropic-version': '2023-06-01' },
  block,
  request: (history) => ({
    ...{ model: 'm', max_tokens: 9 },
    messages: [
      { role: 'user', content: 'Who wrote the parser?' },
      ...(history.length === 0
        ? []
        : [{ role: 'assistant', content: [...history, { type: 'text', text: 'One moment.' }] }]),
      ...(history.length === 0 ? [] : [{ role: 'user', content: 'Go on' }]),
    ],
  }),
  answer: (own) => ({
    ...{
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [own, { type: 'text', text: 'One moment.' }],
    },
    ...{ stop_reason: 'end_turn', stop_sequence: null, usage: { input_tokens: 5, output_tokens: 2 } },
  }),
  stream: (own, pieces) => {
    const { signature, ...rest } = own as { readonly signature?: string };
    const begins = {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      model: 'm',
      content: [],
      stop_reason: null,
    };
    const delta = (type: string, member: string, piece: string) =>
      frame({ type: 'content_block_delta', index: 0, delta: { type, [member]: piece } });
    return [
      frame({ type: 'message_start', message: { ...begins, usage: { input_tokens: 5, output_tokens: 1 } } }),
      'thinking' in rest
        ? frame({
            type: 'content_block_start',
            index: 0,
            content_block: { type: 'thinking', thinking: '', signature: '' },
          })
        : frame({ type: 'content_block_start', index: 0, content_block: own }),
      ...('thinking' in rest ? pieces.map((piece) => delta('thinking_delta', 'thinking', piece)) : []),
      ...('thinking' in rest ? [delta('signature_delta', 'signature', signature ?? '')] : []),
      frame({ type: 'content_block_stop', index: 0 }),
      frame({ type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } }),
      frame({ type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'One moment.' } }),
      frame({ type: 'content_block_stop', index: 1 }),
      frame({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } }),
      frame({ type: 'message_stop' }),
    ].join('');
  },
  streamType: 'text/event-stream',
});

const responses = (name: string, block: SignedTurn['block']): SignedTurn => ({
  name,
  path: () => '/api/v1/responses',
  headers: {},
  block,
  request: (history) => ({
    ...{ model: 'm', store: false },
    input: [
      { role: 'user', content: 'Who wrote the parser?' },
      ...history,
      ...(history.length === 0 ? [] : [{ role: 'user', content: 'Go on' }]),
    ],
  }),
  answer: (own) => ({
    ...{ id: 'resp_1', object: 'response', created_at: 1, status: 'completed', model: 'm', output: [own] },
    ...{
      parallel_tool_calls: true,
      tools: [],
      usage: { input_tokens: 5, output_tokens: 2, total_tokens: 7 },
    },
  }),
  stream: (own, pieces) =>
    [
      frame({ type: 'response.output_item.added', output_index: 0, item: { ...own, summary: [] } }),
      ...pieces.map((delta) =>
        frame({ type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 0, delta }),
      ),
      frame({
        type: 'response.reasoning_summary_text.done',
        output_index: 0,
        summary_index: 0,
        text: pieces.join(''),
      }),
      frame({ type: 'response.output_item.done', output_index: 0, item: own }),
      frame({ type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [own] } }),
    ].join(''),
  streamType: 'text/event-stream',
});

export const SIGNED_TURNS: readonly SignedTurn[] = [
  messages('messages, thinking', (thinking, signature = SEAL) => ({ type: 'thinking', thinking, signature })),
  messages('messages, redacted thinking', (data) => ({ type: 'redacted_thinking', data })),
  messages('messages, an unknown block with a signature', (text, signature = SEAL) => ({
    type: 'musing',
    text,
    signature,
  })),
  responses('responses, reasoning', (text, encrypted_content = SEAL) => ({
    ...{ id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text }], encrypted_content },
  })),
  responses('responses, compaction', (encrypted_content) => ({
    id: 'cmp_1',
    type: 'compaction',
    encrypted_content,
  })),
  {
    name: 'chat, reasoning details',
    path: () => '/api/v1/chat/completions',
    headers: {},
    block: (text, signature = SEAL) => ({
      type: 'reasoning.text',
      text,
      signature,
      format: 'anthropic-claude-v1',
      index: 0,
    }),
    request: (history) => ({
      model: 'm',
      messages: [
        { role: 'user', content: 'Who wrote the parser?' },
        ...(history.length === 0
          ? []
          : [{ role: 'assistant', content: 'One moment.', reasoning_details: history }]),
        ...(history.length === 0 ? [] : [{ role: 'user', content: 'Go on' }]),
      ],
    }),
    answer: (own) => ({
      ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm' },
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'One moment.', reasoning_details: [own] },
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
    }),
    stream: (own, pieces) => {
      const { signature } = own as { readonly signature: string };
      const delta = (more: object, finish_reason: string | null = null) =>
        frame({
          ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' },
          choices: [{ index: 0, delta: more, finish_reason }],
        });
      const detail = (more: object) =>
        delta({ reasoning_details: [{ type: 'reasoning.text', index: 0, ...more }] });
      return [
        ...pieces.map((text) => detail({ text })),
        detail({ signature }),
        delta({ content: 'One moment.' }),
        delta({}, 'stop'),
        'data: [DONE]\n\n',
      ].join('');
    },
    streamType: 'text/event-stream',
  },
  {
    name: 'gemini, thought',
    path: (isStream) =>
      `/api/v1beta/models/m:${isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    headers: {},
    block: (text, thoughtSignature = SEAL) => ({ text, thought: true, thoughtSignature }),
    request: (history) => ({
      contents: [
        { role: 'user', parts: [{ text: 'Who wrote the parser?' }] },
        ...(history.length === 0 ? [] : [{ role: 'model', parts: [...history, { text: 'One moment.' }] }]),
        ...(history.length === 0 ? [] : [{ role: 'user', parts: [{ text: 'Go on' }] }]),
      ],
    }),
    answer: (own) => ({
      candidates: [
        { index: 0, content: { role: 'model', parts: [own, { text: 'One moment.' }] }, finishReason: 'STOP' },
      ],
      usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7 },
    }),
    stream: (own) =>
      [own, { text: 'One moment.' }]
        .map((part) => frame({ candidates: [{ index: 0, content: { role: 'model', parts: [part] } }] }))
        .join(''),
    streamType: 'text/event-stream',
  },
  {
    name: 'bedrock, reasoning content',
    path: (isStream) => `/api/v1/model/m/${isStream ? 'converse-stream' : 'converse'}`,
    headers: {},
    block: (text, signature = SEAL) => ({ reasoningContent: { reasoningText: { text, signature } } }),
    request: (history) => ({
      messages: [
        { role: 'user', content: [{ text: 'Who wrote the parser?' }] },
        ...(history.length === 0
          ? []
          : [{ role: 'assistant', content: [...history, { text: 'One moment.' }] }]),
        ...(history.length === 0 ? [] : [{ role: 'user', content: [{ text: 'Go on' }] }]),
      ],
    }),
    answer: (own) => ({
      output: { message: { role: 'assistant', content: [own, { text: 'One moment.' }] } },
      ...{
        stopReason: 'end_turn',
        usage: { inputTokens: 5, outputTokens: 2, totalTokens: 7 },
        metrics: { latencyMs: 1 },
      },
    }),
    stream: (own, pieces) => {
      const { signature } = (own as { reasoningContent: { reasoningText: { signature: string } } })
        .reasoningContent.reasoningText;
      const delta = (reasoningContent: object) => ({
        type: 'contentBlockDelta',
        contentBlockIndex: 0,
        delta: { reasoningContent },
      });
      const events = [
        { type: 'messageStart', role: 'assistant' },
        ...pieces.map((text) => delta({ text })),
        delta({ signature }),
        { type: 'contentBlockStop', contentBlockIndex: 0 },
        { type: 'contentBlockDelta', contentBlockIndex: 1, delta: { text: 'One moment.' } },
        { type: 'contentBlockStop', contentBlockIndex: 1 },
        { type: 'messageStop', stopReason: 'end_turn' },
      ];
      return onTheWire(
        endpointByName('bedrock-converse-stream'),
        events.map((event) => JSON.stringify(event)).join('\n'),
      );
    },
    streamType: 'application/vnd.amazon.eventstream',
  },
];
