import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatByName } from '../../../../shared/providers/index.ts';

const at = { output_index: 1, content_index: 0 };
const added = (what: 'item' | 'part', value: object, index: object) => ({
  type: what === 'item' ? 'response.output_item.added' : 'response.content_part.added',
  ...index,
  [what]: value,
});
const delta = (event: string, index: object) => ({ type: `response.${event}.delta`, ...index, delta: 'end' });

/** An opening with the beginning of a text, and a delta with its end. */
const CASES: Readonly<Record<string, readonly [string, opening: object, delta: object]>> = {
  'a chat choice that starts with a message': [
    'openai-chat',
    { choices: [{ index: 0, message: { role: 'assistant', content: 'start-' } }] },
    { choices: [{ index: 0, delta: { content: 'end' } }] },
  ],
  'arguments in such a message': [
    'openai-chat',
    { choices: [{ index: 0, message: { tool_calls: [{ index: 0, function: { arguments: 'start-' } }] } }] },
    { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: 'end' } }] } }] },
  ],
  'content_block_start with an index of its own': [
    'anthropic-messages',
    {
      type: 'content_block_start',
      index: 2 ** 53,
      content_block: { type: 'text', text: 'start-' },
    },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'end' } },
  ],
  content_block_start: [
    'anthropic-messages',
    { type: 'content_block_start', index: 2, content_block: { type: 'text', text: 'start-' } },
    { type: 'content_block_delta', index: 2, delta: { type: 'text_delta', text: 'end' } },
  ],
  'message_start with content': [
    'anthropic-messages',
    { type: 'message_start', message: { role: 'assistant', content: [{ type: 'text', text: 'start-' }] } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'end' } },
  ],
  'response.created with output': [
    'openai-responses',
    {
      type: 'response.created',
      response: { output: [{}, { type: 'message', content: [{ type: 'output_text', text: 'start-' }] }] },
    },
    delta('output_text', at),
  ],
  'a part': [
    'openai-responses',
    added('part', { type: 'refusal', refusal: 'start-' }, at),
    delta('refusal', at),
  ],
  'an item’s part': [
    'openai-responses',
    added(
      'item',
      { type: 'message', content: [{ type: 'output_text', text: 'start-' }] },
      { output_index: 1 },
    ),
    delta('output_text', at),
  ],
  'a summary': [
    'openai-responses',
    added(
      'item',
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'start-' }] },
      { output_index: 1 },
    ),
    delta('reasoning_summary_text', { output_index: 1, summary_index: 0 }),
  ],
  ...Object.fromEntries(
    [
      ['function_call', 'arguments', 'function_call_arguments'],
      ['mcp_call', 'arguments', 'mcp_call_arguments'],
      ['custom_tool_call', 'input', 'custom_tool_call_input'],
      ['code_interpreter_call', 'code', 'code_interpreter_call_code'],
    ].map(([type, member, event]) => [
      `a ${type}`,
      [
        'openai-responses',
        added('item', { type, [member as string]: 'start-' }, { output_index: 1 }),
        delta(event as string, { output_index: 1 }),
      ] as const,
    ]),
  ),
};

describe('texts that an opening event begins', () => {
  for (const [name, [dialect, ...events]] of Object.entries(CASES)) {
    it(`are joined with their deltas: ${name}`, () => {
      const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
      const texts = formatByName(dialect)
        .readStream(body)
        .slots.map((slot) => slot.text);
      assert.ok(texts.includes('start-end'), `read: ${JSON.stringify(texts)}`);
    });
  }

  it('are read if they have another shape', () => {
    const odd = [null, 'secret', [1], { content: 'text' }, { content: [null, 5] }, { output: {} }];
    for (const value of odd) {
      for (const type of ['message_start', 'response.created', 'response.output_item.added']) {
        const event = { type, message: value, response: value, item: value, output_index: 'x' };
        const { slots } = formatByName('openai-responses').readStream(`data: ${JSON.stringify(event)}\n\n`);
        if (value === 'text')
          assert.ok(
            slots.some(({ text }) => text === 'text'),
            type,
          );
      }
    }
  });

  it('are read if a frame has a text instead of an object', () => {
    for (const [format, frame] of [
      ['openai-chat', { choices: [{ index: 0, delta: 'secret' }] }],
      ['gemini-stream', { candidates: [{ index: 0, content: 'secret' }] }],
      ['gemini-stream', { candidates: 'secret' }],
    ] as const) {
      const { slots } = formatByName(format).readStream(`data: ${JSON.stringify(frame)}\n\n`);
      assert.ok(
        slots.some(({ text }) => text === 'secret'),
        JSON.stringify(frame),
      );
    }
  });
});
