import fc from 'fast-check';
import { argumentsText, base64, Draw, freeJson, textFile, withUnknown } from './marked-texts.ts';

/**
 * Bodies of the three families as their vendors document them, with every text a mark of its own (`mark()` gives
 * `canary7x`), and unknown members, blocks and roles strewn in.
 */
export interface MarkedBody {
  readonly value: Record<string, unknown>;
  /** How often a mark was given; marks are canary0x … canary(n-1)x. */
  readonly marks: number;
}

function openaiPart(d: Draw): unknown {
  return withUnknown(
    d,
    d.oneOf<Record<string, unknown>>(
      () => ({ type: 'text', text: d.mark() }),
      () => ({ type: 'image_url', image_url: { url: `https://e.test/${d.mark()}`, detail: 'low' } }),
      () => ({
        type: 'file',
        file: { filename: d.mark(), file_data: `data:text/csv;base64,${base64(textFile(d))}` },
      }),
      () => ({ type: 'file', file: { file_id: d.mark() } }),
      () => ({ type: 'input_audio', input_audio: { data: d.mark(), format: 'wav' } }),
      () => ({ type: 'refusal', refusal: d.mark() }),
      () => ({ type: 'hologram', scene: { caption: d.mark(), [d.mark()]: [d.mark()] } }),
    ),
  );
}

function openaiMessage(d: Draw): Record<string, unknown> {
  const content = (): unknown =>
    d.oneOf<unknown>(
      () => d.mark(),
      () => d.list(3, () => openaiPart(d)),
    );
  return withUnknown(
    d,
    d.oneOf<Record<string, unknown>>(
      () => ({ role: 'system', content: content() }),
      () => ({ role: 'user', content: content(), name: d.mark() }),
      () => ({
        role: 'assistant',
        content: null,
        refusal: d.mark(),
        reasoning_content: d.mark(),
        tool_calls: d.list(2, () => ({
          id: d.mark(),
          type: 'function',
          function: { name: d.mark(), arguments: argumentsText(d) },
        })),
      }),
      () => ({
        role: 'assistant',
        content: d.mark(),
        function_call: { name: d.mark(), arguments: argumentsText(d) },
      }),
      () => ({ role: 'tool', tool_call_id: d.mark(), content: content() }),
      () => ({ role: d.mark(), content: content() }),
    ),
  );
}

function anthropicBlock(d: Draw, depth = 0): unknown {
  return withUnknown(
    d,
    d.oneOf<Record<string, unknown>>(
      () => ({ type: 'text', text: d.mark(), cache_control: { type: 'ephemeral' } }),
      () => ({ type: 'thinking', thinking: d.mark(), signature: d.mark() }),
      () => ({ type: 'tool_use', id: d.mark(), name: d.mark(), input: { [d.mark()]: freeJson(d) } }),
      () => ({
        type: 'tool_result',
        tool_use_id: d.mark(),
        content: depth > 1 ? d.mark() : d.list(3, () => anthropicBlock(d, depth + 1)),
      }),
      () => ({
        type: 'document',
        title: d.mark(),
        context: d.mark(),
        source: d.oneOf<unknown>(
          () => ({ type: 'text', media_type: 'text/plain', data: d.mark() }),
          () => ({ type: 'base64', media_type: 'text/plain', data: base64(textFile(d)) }),
          () => ({ type: 'url', url: `https://e.test/${d.mark()}` }),
          () => ({ type: 'content', content: [{ type: 'text', text: d.mark() }] }),
          () => ({ type: 'file', file_id: d.mark() }),
        ),
      }),
      () => ({
        type: 'search_result',
        source: d.mark(),
        title: d.mark(),
        content: [{ type: 'text', text: d.mark() }],
      }),
      () => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: d.mark() } }),
      () => ({
        type: 'web_search_tool_result',
        tool_use_id: d.mark(),
        content: [{ type: 'web_search_result', url: d.mark(), title: d.mark(), encrypted_content: d.mark() }],
      }),
      () => ({ type: 'dream', [d.mark()]: freeJson(d) }),
    ),
  );
}

function anthropicMessage(d: Draw): Record<string, unknown> {
  return withUnknown(d, {
    role: d.oneOf(
      () => 'user',
      () => 'assistant',
      () => d.mark(),
    ),
    content: d.oneOf<unknown>(
      () => d.mark(),
      () => d.list(4, () => anthropicBlock(d)),
    ),
  });
}

function responsesItem(d: Draw): Record<string, unknown> {
  return withUnknown(
    d,
    d.oneOf<Record<string, unknown>>(
      () => ({ role: 'user', content: d.mark() }),
      () => ({
        type: 'message',
        role: 'developer',
        content: d.list(3, () => ({ type: 'input_text', text: d.mark() })),
      }),
      () => ({
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_image', image_url: `https://e.test/${d.mark()}` },
          {
            type: 'input_file',
            filename: d.mark(),
            file_data: `data:text/plain,${encodeURIComponent(d.mark())}`,
          },
        ],
      }),
      () => ({ type: 'function_call', call_id: d.mark(), name: d.mark(), arguments: argumentsText(d) }),
      () => ({
        type: 'function_call_output',
        call_id: d.mark(),
        output: d.oneOf<unknown>(
          () => d.mark(),
          () => [{ type: 'input_text', text: d.mark() }],
        ),
      }),
      () => ({
        type: 'reasoning',
        id: d.mark(),
        summary: [{ type: 'summary_text', text: d.mark() }],
        encrypted_content: d.mark(),
      }),
      () => ({ type: 'code_interpreter_call', code: d.mark(), outputs: [{ type: 'logs', logs: d.mark() }] }),
      () => ({
        type: 'mcp_call',
        name: d.mark(),
        arguments: argumentsText(d),
        output: d.mark(),
        error: d.mark(),
        server_label: d.mark(),
      }),
      () => ({
        type: 'file_search_call',
        queries: [d.mark()],
        results: [{ filename: d.mark(), text: d.mark() }],
      }),
      () => ({ type: 'teleport', [d.mark()]: freeJson(d) }),
    ),
  );
}

const tool = (d: Draw): unknown => ({
  type: 'function',
  function: {
    name: d.mark(),
    description: d.mark(),
    parameters: { type: 'object', properties: { [d.mark()]: { type: 'string', enum: [d.mark()] } } },
  },
});

function request(name: string, d: Draw): Record<string, unknown> {
  const common = {
    model: d.mark(),
    temperature: 0.5,
    metadata: { [d.mark()]: d.mark() },
    [d.mark()]: freeJson(d),
  };
  if (name === 'openai-chat') {
    return {
      ...common,
      messages: d.list(4, () => openaiMessage(d)),
      tools: [tool(d)],
      user: d.mark(),
      stop: [d.mark()],
      response_format: { type: 'json_schema', json_schema: { name: d.mark(), schema: freeJson(d) } },
      prediction: { type: 'content', content: d.mark() },
    };
  }
  if (name === 'openai-responses') {
    return {
      ...common,
      instructions: d.mark(),
      input: d.oneOf<unknown>(
        () => d.mark(),
        () => d.list(4, () => responsesItem(d)),
      ),
      tools: [tool(d)],
      prompt: { id: d.mark(), variables: { [d.mark()]: d.mark() } },
      text: { format: { type: 'json_schema', name: d.mark() } },
    };
  }
  return {
    ...common,
    system: d.oneOf<unknown>(
      () => d.mark(),
      () => d.list(3, () => ({ type: 'text', text: d.mark() })),
    ),
    messages: d.list(4, () => anthropicMessage(d)),
    tools: [{ name: d.mark(), description: d.mark(), input_schema: freeJson(d) }],
  };
}

function answer(name: string, d: Draw): Record<string, unknown> {
  if (name === 'openai-chat') {
    return {
      id: d.mark(),
      model: d.mark(),
      choices: d.list(2, () => ({
        index: 0,
        message: {
          ...openaiMessage(d),
          annotations: [{ type: 'url_citation', url_citation: { url: d.mark(), title: d.mark() } }],
          audio: { id: d.mark(), transcript: d.mark() },
        },
        finish_reason: 'stop',
      })),
      [d.mark()]: freeJson(d),
    };
  }
  if (name === 'openai-responses') {
    return {
      id: d.mark(),
      model: d.mark(),
      status: 'completed',
      instructions: d.mark(),
      output: d.list(3, () => responsesItem(d)),
      [d.mark()]: freeJson(d),
    };
  }
  if (name === 'anthropic-count-tokens') return { input_tokens: 12, [d.mark()]: freeJson(d) };
  return {
    id: d.mark(),
    type: 'message',
    role: 'assistant',
    model: d.mark(),
    content: d.list(4, () => anthropicBlock(d)),
    stop_reason: 'end_turn',
    stop_sequence: d.mark(),
    [d.mark()]: freeJson(d),
  };
}

const draws = fc.array(fc.nat({ max: 5_039 }), { minLength: 8, maxLength: 120 });

const built = (make: (d: Draw) => Record<string, unknown>): fc.Arbitrary<MarkedBody> =>
  draws.map((numbers) => {
    const d = new Draw(numbers);
    const value = make(d);
    return { value, marks: d.marks };
  });

export const requestsOf = (name: string): fc.Arbitrary<MarkedBody> => built((d) => request(name, d));
export const answersOf = (name: string): fc.Arbitrary<MarkedBody> => built((d) => answer(name, d));
