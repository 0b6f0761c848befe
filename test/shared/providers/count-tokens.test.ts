import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countTokens } from '@csg/shared/providers';
import { finish } from '@csg/shared/text';

const sumOf = (source: string, isStream: boolean) => {
  const { input, output } = finish(countTokens(source, isStream));
  return input + output;
};
const whole = (body: unknown) => sumOf(JSON.stringify(body), false);
const stream = (...frames: unknown[]) =>
  sumOf(frames.map((frame) => `event: x\ndata: ${JSON.stringify(frame)}\n\n`).join(''), true);

test('whole responses of each provider are counted by their own fields', () => {
  for (const [body, due] of [
    [{ usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 } }, 12],
    [{ usage: { prompt_tokens: 8, total_tokens: 8 } }, 8],
    [{ usage: { input_tokens: 9, output_tokens: 12 } }, 21],
    [
      {
        usage: {
          input_tokens: 9,
          cache_creation_input_tokens: 100,
          cache_read_input_tokens: 50,
          output_tokens: 1,
        },
      },
      160,
    ],
    [{ usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 7, totalTokenCount: 12 } }, 12],
    [{ usage: { inputTokens: 4, outputTokens: 6, totalTokens: 10 } }, 10],
    [[{ usageMetadata: { totalTokenCount: 3 } }, { usageMetadata: { totalTokenCount: 9 } }], 9],
  ] as const) {
    assert.equal(whole(body), due, JSON.stringify(body));
  }
});

test('input and output are counted separately; a total alone counts as output', () => {
  for (const [usage, input, output] of [
    [{ usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 } }, 5, 7],
    [{ usage: { prompt_tokens: 8, total_tokens: 8 } }, 8, 0],
    [{ usage: { input_tokens: 9, cache_read_input_tokens: 50, output_tokens: 1 } }, 59, 1],
    [{ usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 7, totalTokenCount: 20 } }, 5, 15],
    [{ usage: { total_tokens: 7 } }, 0, 7],
  ] as const) {
    assert.deepEqual(
      finish(countTokens(JSON.stringify(usage), false)),
      { input, output },
      JSON.stringify(usage),
    );
  }
});

test('streams are counted once, by their last count', () => {
  assert.equal(
    stream(
      {
        type: 'message_start',
        message: { usage: { input_tokens: 9, cache_read_input_tokens: 5, output_tokens: 1 } },
      },
      { type: 'message_delta', usage: { output_tokens: 4 } },
      { type: 'message_delta', usage: { output_tokens: 12 } },
    ),
    26,
  );
  const completed = { type: 'response.completed', response: { usage: { total_tokens: 33 } } };
  assert.equal(stream({ type: 'response.created', response: { usage: null } }, completed), 33);
  assert.equal(stream({ choices: [{}], usage: null }, { choices: [], usage: { total_tokens: 7 } }), 7);
  assert.equal(sumOf('data: {"usage":{"total_tokens":7}}\r\n\r\ndata: [DONE]\r\n\r\n', true), 7);
});

test('invalid counts count as zero, and nothing throws', () => {
  for (const text of ['', 'usage', '{"usage":', '{"usage":null}', '{"usage":[]}', 'null', '"usage"']) {
    assert.equal(sumOf(text, false), 0, text);
    assert.equal(sumOf(`data: ${text}\n\n`, true), 0, text);
  }
  for (const total of [-1, 1.5, '9', true, {}, 1e300])
    assert.equal(whole({ usage: { total_tokens: total } }), 0);
  assert.equal(whole({ choices: [{ message: { content: '{"usage":{"total_tokens":9}}' } }] }), 0);
});
