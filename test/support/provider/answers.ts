/** The content of a stand-in provider's response; every field has a default. */
export interface ResponseContent {
  readonly text?: string;
  readonly reasoning?: string;
  readonly refusal?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: string }[];
  readonly model?: string;
}

/** Bodies in the form of the providers' API references, whole and as streams of SSE frames. */
export interface AnswerForms {
  whole(says: ResponseContent): object;
  /** One string per frame, each ending in a blank line. */
  frames(says: ResponseContent): string[];
}

const CREATED = 1_760_000_000;
const event = (name: string, data: object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

/** Text as a model streams it: pieces of a few letters, so that a word can span two frames. */
function inPieces(text: string, size = 4): string[] {
  const letters = [...text];
  const pieces: string[] = [];
  for (let i = 0; i < letters.length; i += size) pieces.push(letters.slice(i, i + size).join(''));
  return pieces;
}

const chatUsage = { prompt_tokens: 9, completion_tokens: 12, total_tokens: 21 };
const chat: AnswerForms = {
  whole(says) {
    const calls = says.toolCalls ?? [];
    const message = {
      role: 'assistant',
      content: calls.length > 0 && says.text === undefined ? null : (says.text ?? ''),
      refusal: says.refusal ?? null,
      ...(says.reasoning === undefined ? {} : { reasoning_content: says.reasoning }),
      ...(calls.length === 0
        ? {}
        : { tool_calls: calls.map((call, i) => ({ id: `call_${i}`, type: 'function', function: call })) }),
    };
    const finish = calls.length > 0 ? 'tool_calls' : 'stop';
    return {
      id: 'chatcmpl-standin',
      object: 'chat.completion',
      created: CREATED,
      model: says.model ?? 'gpt-standin',
      choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
      usage: chatUsage,
      system_fingerprint: 'fp_standin',
    };
  },
  frames(says) {
    const base = {
      id: 'chatcmpl-standin',
      object: 'chat.completion.chunk',
      created: CREATED,
      model: says.model ?? 'gpt-standin',
    };
    const frame = (delta: object, finish: string | null = null): string =>
      data({ ...base, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] });
    const calls = says.toolCalls ?? [];
    return [
      frame({ role: 'assistant', content: '' }),
      ...inPieces(says.reasoning ?? '').map((piece) => frame({ reasoning_content: piece })),
      ...inPieces(says.refusal ?? '').map((piece) => frame({ refusal: piece })),
      ...inPieces(says.text ?? '').map((piece) => frame({ content: piece })),
      ...calls.flatMap((call, index) => [
        frame({
          tool_calls: [
            { index, id: `call_${index}`, type: 'function', function: { name: call.name, arguments: '' } },
          ],
        }),
        ...inPieces(call.arguments).map((piece) =>
          frame({ tool_calls: [{ index, function: { arguments: piece } }] }),
        ),
      ]),
      frame({}, calls.length > 0 ? 'tool_calls' : 'stop'),
      data({ ...base, choices: [], usage: chatUsage }),
      'data: [DONE]\n\n',
    ];
  },
};

function contentBlocks(says: ResponseContent): Record<string, unknown>[] {
  const blocks: Record<string, unknown>[] = [];
  if (says.reasoning !== undefined) {
    blocks.push({ type: 'thinking', thinking: says.reasoning, signature: 'c3RhbmRpbg==' });
  }
  const text = says.text ?? says.refusal;
  if (text !== undefined) blocks.push({ type: 'text', text });
  (says.toolCalls ?? []).forEach((call, i) => {
    blocks.push({ type: 'tool_use', id: `toolu_${i}`, name: call.name, input: JSON.parse(call.arguments) });
  });
  return blocks;
}

const stopReason = (says: ResponseContent): string =>
  (says.toolCalls ?? []).length > 0 ? 'tool_use' : 'end_turn';
const messages: AnswerForms = {
  whole(says) {
    return {
      id: 'msg_standin',
      type: 'message',
      role: 'assistant',
      model: says.model ?? 'claude-standin',
      content: contentBlocks(says),
      stop_reason: stopReason(says),
      stop_sequence: null,
      usage: { input_tokens: 9, output_tokens: 12 },
    };
  },
  frames(says) {
    const start = {
      ...messages.whole(says),
      content: [],
      stop_reason: null,
      usage: { input_tokens: 9, output_tokens: 1 },
    };
    const blocks = contentBlocks(says).flatMap((block, index) => {
      const delta = (value: object): string =>
        event('content_block_delta', { type: 'content_block_delta', index, delta: value });
      const pieces = (text: string, type: string, field: string): string[] =>
        inPieces(text).map((piece) => delta({ type, [field]: piece }));
      const empty: Record<string, unknown> = { ...block };
      let deltas: string[];
      if (block['type'] === 'thinking') {
        Object.assign(empty, { thinking: '', signature: '' });
        deltas = [
          ...pieces(String(block['thinking']), 'thinking_delta', 'thinking'),
          delta({ type: 'signature_delta', signature: block['signature'] }),
        ];
      } else if (block['type'] === 'text') {
        empty['text'] = '';
        deltas = pieces(String(block['text']), 'text_delta', 'text');
      } else {
        empty['input'] = {};
        deltas = pieces(JSON.stringify(block['input']), 'input_json_delta', 'partial_json');
      }
      return [
        event('content_block_start', { type: 'content_block_start', index, content_block: empty }),
        ...deltas,
        event('content_block_stop', { type: 'content_block_stop', index }),
      ];
    });
    const last = { stop_reason: stopReason(says), stop_sequence: null };
    return [
      event('message_start', { type: 'message_start', message: start }),
      event('ping', { type: 'ping' }),
      ...blocks,
      event('message_delta', { type: 'message_delta', delta: last, usage: { output_tokens: 12 } }),
      event('message_stop', { type: 'message_stop' }),
    ];
  },
};

function outputItems(says: ResponseContent): Record<string, unknown>[] {
  const items: Record<string, unknown>[] = [];
  if (says.reasoning !== undefined) {
    const summary = [{ type: 'summary_text', text: says.reasoning }];
    items.push({ id: 'rs_standin', type: 'reasoning', summary });
  }
  const content: object[] = [];
  if (says.text !== undefined) {
    content.push({ type: 'output_text', text: says.text, annotations: [], logprobs: [] });
  }
  if (says.refusal !== undefined) content.push({ type: 'refusal', refusal: says.refusal });
  if (content.length > 0) {
    items.push({ id: 'msg_standin', type: 'message', role: 'assistant', status: 'completed', content });
  }
  (says.toolCalls ?? []).forEach((call, i) => {
    items.push({ id: `fc_${i}`, type: 'function_call', call_id: `call_${i}`, status: 'completed', ...call });
  });
  return items;
}

const responses: AnswerForms = {
  whole(says) {
    return {
      id: 'resp_standin',
      object: 'response',
      created_at: CREATED,
      status: 'completed',
      error: null,
      incomplete_details: null,
      instructions: null,
      max_output_tokens: null,
      metadata: {},
      model: says.model ?? 'gpt-standin',
      output: outputItems(says),
      parallel_tool_calls: true,
      previous_response_id: null,
      reasoning: { effort: null, summary: null },
      store: true,
      temperature: 1,
      text: { format: { type: 'text' } },
      tool_choice: 'auto',
      tools: [],
      top_p: 1,
      truncation: 'disabled',
      usage: {
        input_tokens: 9,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 12,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 21,
      },
      user: null,
    };
  },
  frames(says) {
    let sequence = 0;
    const frame = (type: string, fields: object): string =>
      event(type, { type, sequence_number: sequence++, ...fields });
    const whole = responses.whole(says);
    const begun = { ...whole, status: 'in_progress', output: [], usage: null };
    const frames = [
      frame('response.created', { response: begun }),
      frame('response.in_progress', { response: begun }),
    ];
    outputItems(says).forEach((item, output_index) => {
      const at = { item_id: item['id'], output_index };
      const bare = { ...item, ...(item['type'] === 'message' ? { content: [], status: 'in_progress' } : {}) };
      if (item['type'] === 'function_call') Object.assign(bare, { arguments: '', status: 'in_progress' });
      if (item['type'] === 'reasoning') Object.assign(bare, { summary: [] });
      frames.push(frame('response.output_item.added', { output_index, item: bare }));
      for (const part of partsOf(item)) frames.push(...partFrames(part, at, frame));
      frames.push(frame('response.output_item.done', { output_index, item }));
    });
    frames.push(frame('response.completed', { response: whole }));
    return frames;
  },
};

interface Part {
  readonly index: number;
  /** Frame names are `response.<stem>.delta` and `.done`. */
  readonly stem: string;
  readonly field: string;
  readonly text: string;
  readonly part?: Record<string, unknown>;
}

function partsOf(item: Record<string, unknown>): Part[] {
  if (item['type'] === 'function_call') {
    return [
      { index: 0, stem: 'function_call_arguments', field: 'arguments', text: String(item['arguments']) },
    ];
  }
  if (item['type'] === 'reasoning') {
    const [part] = item['summary'] as Record<string, unknown>[];
    return [
      { index: 0, stem: 'reasoning_summary_text', field: 'text', text: String(part!['text']), part: part! },
    ];
  }
  return (item['content'] as Record<string, unknown>[]).map((part, index) =>
    part['type'] === 'refusal'
      ? { index, stem: 'refusal', field: 'refusal', text: String(part['refusal']), part }
      : { index, stem: 'output_text', field: 'text', text: String(part['text']), part },
  );
}

function partFrames(part: Part, at: object, frame: (type: string, fields: object) => string): string[] {
  const summary = part.stem === 'reasoning_summary_text';
  const index = summary ? { summary_index: part.index } : { content_index: part.index };
  const where = part.part === undefined ? at : { ...at, ...index };
  const container = summary ? 'reasoning_summary_part' : 'content_part';
  const logprobs = part.stem === 'output_text' ? { logprobs: [] } : {};
  const around = (moment: string, value: object): string[] =>
    part.part === undefined ? [] : [frame(`response.${container}.${moment}`, { ...where, part: value })];
  return [
    ...around('added', { ...part.part, [part.field]: '' }),
    ...inPieces(part.text).map((delta) =>
      frame(`response.${part.stem}.delta`, { ...where, delta, ...logprobs }),
    ),
    frame(`response.${part.stem}.done`, { ...where, [part.field]: part.text, ...logprobs }),
    ...around('done', { ...part.part }),
  ];
}

export const ANSWER_FORMS = { chat, messages, responses } as const;

export const MODELS_OPENAI = {
  object: 'list',
  data: [
    { id: 'gpt-standin', object: 'model', created: CREATED, owned_by: 'stand-in' },
    { id: 'gpt-standin-mini', object: 'model', created: CREATED, owned_by: 'stand-in' },
  ],
};
export const MODELS_ANTHROPIC = {
  data: [
    { id: 'claude-standin', type: 'model', display_name: 'Stand-in', created_at: '2026-01-01T00:00:00Z' },
  ],
  has_more: false,
  first_id: 'claude-standin',
  last_id: 'claude-standin',
};
