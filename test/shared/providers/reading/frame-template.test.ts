import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { addByTemplate, templateOf } from '../../../../shared/providers/reading/frame-template.ts';
import { readStream } from '../../../../shared/providers/reading/read-stream.ts';
import { newAccumulator } from '../../../../shared/providers/reading/stream-accumulators.ts';
import { UNKNOWN_RULES } from '../../../../shared/providers/registry.ts';
import { finish } from '../../../../shared/text/index.ts';

const frame = (content: unknown): string => JSON.stringify({ choices: [{ index: 0, delta: { content } }] });
const formFor = (text: string) => {
  const accumulator = newAccumulator('assistant');
  return { accumulator, form: templateOf(frame(text), accumulator, text) };
};

describe('the template of a frame', () => {
  test('takes the text of frames that differ in nothing else', () => {
    const { accumulator, form } = formFor('one ');
    assert.ok(form !== null);
    assert.equal(addByTemplate(form, frame('two ')), true);
    assert.equal(addByTemplate(form, frame('')), true);
    assert.equal(addByTemplate(form, frame('drei ü 😀')), true);
    assert.equal(addByTemplate(form, frame(' a "quoted"\n\\ word\u2028')), true);
    assert.equal(accumulator.text, 'two drei ü 😀 a "quoted"\n\\ word\u2028');
  });

  test('takes a text of millions of escapes', () => {
    const { accumulator, form } = formFor('one');
    const text = '"'.repeat(12_000_000);
    assert.equal(addByTemplate(form!, frame(text)), true);
    assert.equal(accumulator.text === text, true);
  });

  test('rejects frames that need parsing or contain something else', () => {
    const { accumulator, form } = formFor('one');
    assert.ok(form !== null);
    const others = [
      frame('line').replace('line', '\\x41'),
      frame('line').replace('line', 'end\\'),
      frame(['two']),
      frame('two').replace('}', ',"refusal":"no"}'),
      frame('two').replace('two', 'a\u0001b'),
      frame('two').replace('"two"', '"a","name":"b"'),
      `${frame('two')} `,
      form.head,
      form.tail,
    ];
    for (const data of others) assert.equal(addByTemplate(form, data), false, data);
    assert.equal(accumulator.text, '');
  });

  test('does not exist if it is unknown which string was the text', () => {
    for (const text of ['content', ':', 'line\nend', 'choices']) assert.equal(formFor(text).form, null, text);
    const accumulator = newAccumulator('assistant');
    assert.equal(templateOf('{"a":"\\u0062","b":1}', accumulator, 'b'), null, 'an escape may have been read');
  });
});

/** Frames of all families; those of one kind differ only in their text. */
const KINDS: readonly ((text: string, index: number) => object)[] = [
  (content, index) => ({ model: 'm', choices: [{ index, delta: { content }, finish_reason: null }] }),
  (content) => ({ choices: [{ index: 0, delta: { content, refusal: 'no' } }] }),
  (content) => ({ choices: [{ index: 0, message: { role: 'assistant', content } }] }),
  (args) => ({
    choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: args } }] } }],
  }),
  (content) => ({ choices: [{ index: 0, delta: { content }, logprobs: { content: [{ token: 'T' }] } }] }),
  (token) => ({ choices: [{ index: 0, delta: {}, logprobs: { content: [{ token }] } }] }),
  (text) => ({ type: 'message_start', message: { content: [{ type: 'text', text }] } }),
  (text, index) => ({ type: 'content_block_start', index, content_block: { type: 'text', text } }),
  (text, index) => ({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } }),
  (delta, index) => ({ type: 'response.output_text.delta', output_index: index, content_index: 0, delta }),
  (text) => ({
    type: 'response.output_item.added',
    output_index: 0,
    item: { type: 'message', content: [{ type: 'output_text', text }] },
  }),
  (text) => ({ type: 'response.output_text.done', output_index: 0, text }),
  // Frames that open or end something and continue with something else.
  (delta) => ({ type: 'message_start', message: { content: [{ type: 'text', text: 'stop' }] }, delta }),
  (delta, index) => ({
    type: 'content_block_start',
    index,
    content_block: { type: 'text', text: 'stop' },
    delta,
  }),
  (delta) => ({
    type: 'response.output_item.added',
    output_index: 0,
    item: { type: 'message', content: [{ type: 'output_text', text: 'stop' }] },
    delta,
  }),
  (content) => ({ choices: [{ index: 0, message: { content: 'stop' }, delta: { content } }] }),
  (strange) => ({ strange, id: 'x' }),
  (type) => ({ type, delta: 'x' }),
];

test('a stream reads the same whether its frames are parsed or matched by template', () => {
  const words = [
    'a',
    'the ',
    'stop',
    'b',
    '',
    ',',
    ':',
    '"',
    'a\nb',
    '\\',
    'é',
    'content',
    '{"a":"b"}',
    'index',
  ];
  const run = fc.record({
    kind: fc.nat({ max: KINDS.length - 1 }),
    index: fc.nat({ max: 1 }),
    textsOf: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 }),
  });
  fc.assert(
    fc.property(fc.array(run, { maxLength: 8 }), (runs) => {
      const frames = runs.flatMap(({ kind, index, textsOf }) =>
        textsOf.map((text) => JSON.stringify(KINDS[kind]!(text, index))),
      );
      const asSent = frames.map((data) => `data: ${data}\n\n`).join('');
      // Spaces that differ from frame to frame: none matches the template of the previous one.
      const apart = frames.map((data, at) => `data: ${data}${' '.repeat(at % 3)}\n\n`).join('');
      assert.deepEqual(finish(readStream(asSent, UNKNOWN_RULES)), finish(readStream(apart, UNKNOWN_RULES)));
    }),
    { seed: 17, numRuns: 3_000 },
  );
});
