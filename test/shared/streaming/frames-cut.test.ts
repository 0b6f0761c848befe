import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutFrame } from '../../../shared/streaming/frames.ts';

const data = (value: object, event = ''): string =>
  `${event === '' ? '' : `event: ${event}\n`}data: ${JSON.stringify(value)}\n\n`;
const chat = (delta: object, more = {}) =>
  data({ id: 'c', created: 9007199254, choices: [{ index: 0, delta, finish_reason: null, ...more }] });
const block = (text: string) =>
  data({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }, 'content_block_delta');
const gemini = (text: string) =>
  data({
    candidates: [{ content: { role: 'model', parts: [{ text }] } }],
    usageMetadata: { promptTokenCount: 4 },
  });

test('a delta is split in two; the rest of its frame stays unchanged', () => {
  for (const make of [(content: string) => chat({ content }), block, gemini])
    assert.deepEqual(cutFrame(make('one\n"two"'), 'one\n"two"', 4), [make('one\n'), make('"two"')]);
});

test('a character is not split', () => {
  assert.deepEqual(cutFrame(block('a😀b'), 'a😀b', 2), [block('a'), block('😀b')]);
  assert.equal(cutFrame(block('😀b'), '😀b', 1), null);
});

test('a frame with more than its delta, or in another spelling, is not split', () => {
  for (const frame of [
    chat({ content: 'one two', role: 'assistant' }),
    chat({ content: 'one two' }, { finish_reason: 'stop' }),
    chat({ content: 'one two' }, { logprobs: { content: [] } }),
    chat({ content: 'one two', name: 'one two' }),
    data({ type: 'response.output_text.delta', sequence_number: 4, delta: 'one two' }),
    block('one two').replace('one', '\\u006fne'),
    block('one two').replace('data', 'id: 7\ndata'),
    block('one two').replace('\n\n', '\r\n\r\n'),
    'data: [DONE]\n\n',
  ])
    assert.equal(cutFrame(frame, 'one two', 3), null, frame);
});
