/** The events of the three families' streams, as canary-bodies.ts has their bodies. */
import { json, type Template } from './canary-template.ts';

export interface Frame {
  readonly event?: string;
  readonly data: Template;
}

const chunk = (delta: Template, more: Readonly<Record<string, Template>> = {}): Frame => ({
  data: {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_760_000_000,
    model: 'gpt-test',
    system_fingerprint: 'fp_1',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: null }],
    ...more,
  },
});

const named = (type: string, fields: Readonly<Record<string, Template>>): Frame => ({
  event: type,
  data: { type, ...fields },
});

const chatFrames: Frame[] = [
  chunk({ role: 'assistant', content: '' }),
  chunk({ content: 'An answer' }),
  chunk({ content: 'An answer' }, { service_tier: 'default' }),
  chunk({ refusal: 'I would rather not' }),
  chunk({ reasoning_content: 'Let me think' }),
  chunk({ reasoning: 'and think' }),
  chunk({ reasoning_details: [{ type: 'reasoning.text', text: 'in detail', format: 'x' }] }),
  chunk({
    annotations: [{ type: 'url_citation', url_citation: { url: 'https://example.com', title: 'a' } }],
  }),
  chunk({ audio: { id: 'audio_1', transcript: 'spoken', data: 'words' } }),
  chunk({
    tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'lookup', arguments: '' } }],
  }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: json({ city: 'Paris' }) } }] }),
  chunk({ tool_calls: [{ index: 1, type: 'custom', custom: { name: 'query', input: 'select one' } }] }),
  chunk({ function_call: { name: 'old', arguments: json({ a: 'b' }) } }),
  {
    data: {
      id: 'chatcmpl-1',
      choices: [
        {
          index: 0,
          delta: {},
          finish_reason: 'stop',
          logprobs: {
            content: [{ token: 'An', logprob: -1, top_logprobs: [{ token: 'The', logprob: -2 }] }],
          },
        },
      ],
    },
  },
  { data: { id: 'chatcmpl-1', choices: [{ index: 1, text: 'old completions' }] } },
  { data: { id: 'chatcmpl-1', choices: [{ index: 0, message: { role: 'assistant', content: 'whole' } }] } },
  { data: { error: { message: 'Something went wrong', type: 'server_error', code: 'oops' } } },
  { event: 'unheard.of', data: { scene: { caption: 'a dragon', parts: ['wing'] } } },
];

const block = (index: number, content_block: Template): Frame =>
  named('content_block_start', { index, content_block });
const blockDelta = (index: number, delta: Template): Frame => named('content_block_delta', { index, delta });

const messageFrames: Frame[] = [
  named('message_start', {
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-test',
      content: [{ type: 'text', text: 'early' }],
      stop_reason: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  }),
  named('ping', {}),
  block(0, { type: 'thinking', thinking: 'Let', signature: '' }),
  blockDelta(0, { type: 'thinking_delta', thinking: ' me think' }),
  blockDelta(0, { type: 'signature_delta', signature: 'c2lnbmVk' }),
  block(1, { type: 'text', text: 'An' }),
  blockDelta(1, { type: 'text_delta', text: ' answer' }),
  blockDelta(1, {
    type: 'citations_delta',
    citation: { type: 'char_location', cited_text: 'some words', document_title: 'Notes', document_index: 0 },
  }),
  block(2, { type: 'tool_use', id: 'toolu_1', name: 'lookup', input: {} }),
  blockDelta(2, { type: 'input_json_delta', partial_json: json({ city: 'Paris' }) }),
  block(3, { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'early' } }),
  block(4, {
    type: 'web_search_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: [{ type: 'web_search_result', title: 'Weather', url: 'https://example.com/w' }],
  }),
  block(5, { type: 'redacted_thinking', data: 'c2VhbGVk' }),
  blockDelta(6, { type: 'hologram_delta', scene: { caption: 'a dragon', parts: ['wing'] } }),
  named('content_block_stop', { index: 1 }),
  named('message_delta', {
    delta: { stop_reason: 'stop_sequence', stop_sequence: 'END', container: { id: 'container_1' } },
    usage: { output_tokens: 12 },
  }),
  named('error', { error: { type: 'overloaded_error', message: 'Overloaded' } }),
  named('unheard_of', { scene: { caption: 'a dragon', parts: ['wing'] } }),
  named('message_stop', {}),
];

const at = { item_id: 'item_1', output_index: 0 };
const DELTAS = [
  'output_text',
  'refusal',
  'function_call_arguments',
  'custom_tool_call_input',
  'mcp_call_arguments',
  'reasoning_text',
  'reasoning_summary_text',
  'code_interpreter_call_code',
  'audio.transcript',
  'unheard_of_text',
] as const;
const WHOLES: Readonly<Record<string, string>> = {
  output_text: 'text',
  refusal: 'refusal',
  function_call_arguments: 'arguments',
  custom_tool_call_input: 'input',
  mcp_call_arguments: 'arguments',
  reasoning_text: 'text',
  reasoning_summary_text: 'text',
  code_interpreter_call_code: 'code',
  'audio.transcript': 'transcript',
  unheard_of_text: 'unheard_of',
};
const response = {
  id: 'resp_1',
  status: 'completed',
  model: 'gpt-test',
  instructions: 'Be kind.',
  error: { code: 'server_error', message: 'Something went wrong' },
  output: [
    { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'An' }] },
  ],
};
const items: Template[] = [
  { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'An answer' }] },
  {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'call_1',
    name: 'lookup',
    arguments: json({ city: 'Paris' }),
  },
  { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'It thought' }] },
  {
    type: 'mcp_call',
    id: 'mcp_1',
    server_label: 'files',
    name: 'find',
    arguments: json({ q: 'x' }),
    output: 'a',
  },
  {
    type: 'code_interpreter_call',
    id: 'ci_1',
    code: 'print(1)',
    outputs: [{ type: 'logs', logs: 'printed' }],
  },
  { type: 'web_search_call', id: 'ws_1', action: { type: 'search', query: 'weather' } },
  { type: 'teleport', id: 'tp_1', scene: { caption: 'a dragon', parts: ['wing'] } },
];

const responseFrames: Frame[] = [
  named('response.created', { response: { ...response, output: [] } }),
  ...items.map((item) => named('response.output_item.added', { output_index: 0, item })),
  named('response.content_part.added', {
    ...at,
    content_index: 0,
    part: { type: 'output_text', text: 'An' },
  }),
  ...DELTAS.flatMap((stem) => [
    named(`response.${stem}.delta`, { ...at, content_index: 0, delta: 'An answer' }),
    named(`response.${stem}.done`, { ...at, content_index: 0, [WHOLES[stem]!]: 'An answer' }),
  ]),
  named('response.output_text.delta', {
    ...at,
    content_index: 0,
    delta: 'x',
    logprobs: [{ token: 'x', logprob: -1, top_logprobs: [{ token: 'The', logprob: -2 }] }],
  }),
  named('response.output_text.annotation.added', {
    ...at,
    content_index: 0,
    annotation_index: 0,
    annotation: { type: 'url_citation', url: 'https://example.com', title: 'Example' },
  }),
  named('response.reasoning_summary_part.done', {
    ...at,
    summary_index: 0,
    part: { type: 'summary_text', text: 'a' },
  }),
  named('response.image_generation_call.partial_image', {
    ...at,
    partial_image_index: 0,
    partial_image_b64: 'words',
  }),
  ...items.map((item) => named('response.output_item.done', { output_index: 0, item })),
  named('response.completed', { response }),
  named('error', { code: 'server_error', message: 'Something went wrong', param: 'x' }),
  named('response.unheard_of', { scene: { caption: 'a dragon', parts: ['wing'] } }),
];

export const STREAMS: Readonly<Record<string, readonly Frame[]>> = {
  '/chat/completions': chatFrames,
  '/messages': messageFrames,
  '/responses': responseFrames,
};

/** Every text that a stream brings piece by piece: a piece -> its frame. */
export const SPLIT_TEXTS: Readonly<Record<string, Readonly<Record<string, (piece: string) => Frame>>>> = {
  '/chat/completions': {
    content: (piece) => chunk({ content: piece }),
    refusal: (piece) => chunk({ refusal: piece }),
    reasoning_content: (piece) => chunk({ reasoning_content: piece }),
    reasoning: (piece) => chunk({ reasoning: piece }),
    'reasoning details': (piece) => chunk({ reasoning_details: [{ type: 'reasoning.text', text: piece }] }),
    arguments: (piece) => chunk({ tool_calls: [{ index: 2, function: { arguments: piece } }] }),
    'a tool’s name': (piece) => chunk({ tool_calls: [{ index: 2, function: { name: piece } }] }),
    'custom input': (piece) => chunk({ tool_calls: [{ index: 2, custom: { input: piece } }] }),
    'function_call arguments': (piece) => chunk({ function_call: { arguments: piece } }),
    transcript: (piece) => chunk({ audio: { transcript: piece } }),
    'content in blocks': (piece) => chunk({ content: [{ type: 'text', text: piece }] }),
    'an unknown member': (piece) => chunk({ monologue: piece }),
    'old completions': (piece) => ({ data: { choices: [{ index: 0, text: piece }] } }),
    tokens: (piece) => ({
      data: { choices: [{ index: 0, delta: {}, logprobs: { content: [{ token: piece, logprob: -1 }] } }] },
    }),
  },
  '/messages': {
    text: (piece) => blockDelta(1, { type: 'text_delta', text: piece }),
    thinking: (piece) => blockDelta(0, { type: 'thinking_delta', thinking: piece }),
    partial_json: (piece) => blockDelta(2, { type: 'input_json_delta', partial_json: piece }),
    signature: (piece) => blockDelta(0, { type: 'signature_delta', signature: piece }),
    'an unknown delta': (piece) => blockDelta(3, { type: 'hologram_delta', words: piece }),
    completion: (piece) => named('completion', { completion: piece, stop_reason: null }),
  },
  '/responses': Object.fromEntries(
    DELTAS.map((stem) => [
      stem,
      (piece: string) => named(`response.${stem}.delta`, { ...at, content_index: 0, delta: piece }),
    ]),
  ),
};
