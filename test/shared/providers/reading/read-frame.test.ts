import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type ExtractedBody, formatByName } from '../../../../shared/providers/index.ts';

const read = (body: string): ExtractedBody => formatByName('openai-chat').readStream(body);
const textsOf = (reading: ExtractedBody): string[] =>
  reading.slots
    .filter((slot) => !['other', 'identifier', 'metadata'].includes(slot.role))
    .map((slot) => `${slot.role}: ${slot.text}`);
const frame = (data: unknown, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;

describe('frames', () => {
  it('reads one with very much in it in steps', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => index);
    const texts = many.map((index) => ({ type: 'output_text', text: `x${index}` }));
    const named = Object.fromEntries(many.map((index) => [`member ${index}`, 'x']));
    const frames: Readonly<Record<string, readonly object[]>> = {
      'openai-chat': [
        { choices: many.map((index) => ({ index, delta: { content: 'x' } })) },
        { choices: [{ index: 0, delta: { content: many.map(String) } }] },
        { choices: [{ index: 0, delta: named }] },
        { choices: [{ index: 0, delta: { tool_calls: many.map((index) => ({ index, id: 'c' })) } }] },
      ],
      'anthropic-messages': [
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: many.map(String) } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '', ...named } },
      ],
      'openai-responses': [
        { type: 'response.output_item.added', output_index: 0, item: { type: 'message', content: texts } },
      ],
      'gemini-stream': [
        { candidates: [{ content: { parts: many.map((index) => ({ text: `x${index}` })) } }] },
      ],
    };
    for (const [name, bodies] of Object.entries(frames))
      for (const body of bodies) {
        let steps = 0;
        const work = formatByName(name).readStreamInSteps(frame(body));
        while (work.next().done !== true) steps++;
        assert.ok(steps > many.length / 100, `${name}: ${steps} steps; ${JSON.stringify(body).slice(0, 90)}`);
      }
  });

  it('keeps choices, blocks and calls separate', () => {
    const chunk = (index: number, content: string) =>
      frame({
        choices: [{ index, delta: { content, tool_calls: [{ index, function: { arguments: content } }] } }],
      });
    assert.deepEqual(textsOf(read(chunk(0, 'a') + chunk(1, 'x') + chunk(0, 'b') + chunk(1, 'y'))).sort(), [
      'assistant: ab',
      'assistant: xy',
      'tool_call: ab',
      'tool_call: xy',
    ]);
  });

  it('joins choices whose index is not a number: by value, by position and by order', () => {
    const parts = ['AKIA', 'IOSF', 'ODNN7'];
    const others = [
      { index: 'b', delta: { content: ' so ' } },
      { index: 3, delta: { content: ' there ' } },
    ];
    const indexes: Readonly<Record<string, readonly unknown[]>> = {
      'a number in quotes': ['0', '0', '0'],
      'a word': ['a', 'a', 'a'],
      nothing: [undefined, undefined, undefined],
      null: [null, null, null],
      'true or false': [true, true, true],
      'an object': [{ x: 1 }, { x: 1 }, { x: 1 }],
      'spelled in turns': [0, '0', '00'],
      'missing in turns': [0, null, undefined],
    };
    for (const [name, [...sequence]] of Object.entries(indexes)) {
      for (let place = 0; place <= 2; place++) {
        const body = parts.map((content, i) => {
          // Its position changes from frame to frame, except if nothing else identifies it.
          const at = sequence[0] === undefined ? place : (place + i) % 3;
          const choices: unknown[] = [...others];
          choices.splice(at, 0, { index: sequence[i], delta: { content } });
          return frame({ choices });
        });
        const texts = textsOf(read(body.join('')));
        assert.ok(texts.includes('assistant: AKIAIOSFODNN7'), `${name}, place ${place}: ${texts}`);
      }
    }
    const alone = parts.map((content, i) => frame({ choices: [{ index: `x${i}`, delta: { content } }] }));
    assert.ok(textsOf(read(alone.join(''))).includes('assistant: AKIAIOSFODNN7'), 'only by their order');
  });

  it('reads the tokens of a choice once, whatever its index', () => {
    const logprobs = { content: [{ token: 'ab', logprob: -1 }] };
    const { slots } = read(frame({ choices: [{ index: 'x', delta: {}, logprobs }] }));
    assert.equal(slots.find(({ path }) => path === '#stream:/logprobs')?.text, 'ab');
  });

  it('finds a text across neighboring blocks of a response', () => {
    const delta = (index: number, text: string) =>
      frame({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } });
    assert.ok(textsOf(read(delta(0, 'sk-') + delta(1, 'live'))).includes('assistant: sk-live'));
  });

  it('finds a secret that is split anywhere, in every family', () => {
    const secret = 'AKIAIOSFODNN7EXAMPLE';
    const families: readonly ((piece: string) => unknown)[] = [
      (content) => ({ choices: [{ index: 0, delta: { content } }] }),
      (reasoning_content) => ({ choices: [{ index: 0, delta: { reasoning_content } }] }),
      (refusal) => ({ choices: [{ delta: { refusal } }] }),
      (args) => ({
        choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: args } }] } }],
      }),
      (transcript) => ({ choices: [{ index: 0, delta: { audio: { transcript } } }] }),
      (unheard_of) => ({ choices: [{ index: 0, delta: { unheard_of } }] }),
      (text) => ({ choices: [{ index: 0, text }] }),
      (text) => ({ type: 'content_block_delta', index: 3, delta: { type: 'text_delta', text } }),
      (partial_json) => ({
        type: 'content_block_delta',
        index: 3,
        delta: { type: 'input_json_delta', partial_json },
      }),
      (thinking) => ({ type: 'content_block_delta', index: 3, delta: { type: 'thinking_delta', thinking } }),
      (delta) => ({ type: 'response.output_text.delta', output_index: 0, content_index: 0, delta }),
      (delta) => ({ type: 'response.refusal.delta', output_index: 0, content_index: 0, delta }),
      (delta) => ({
        type: 'response.reasoning_summary_text.delta',
        output_index: 0,
        summary_index: 0,
        delta,
      }),
      (delta) => ({ type: 'response.function_call_arguments.delta', output_index: 2, delta }),
      (delta) => ({ type: 'response.not.yet.invented.delta', delta }),
      (piece) => ({ piece }),
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...families),
        fc.nat({ max: secret.length }),
        fc.nat({ max: secret.length }),
        fc.constantFrom('\n', '\r\n', '\r'),
        (make, a, b, end) => {
          const [from, to] = [Math.min(a, b), Math.max(a, b)];
          const body = [secret.slice(0, from), secret.slice(from, to), secret.slice(to)]
            .map((piece) => frame(make(piece)))
            .join('');
          const reading = read(body.replaceAll('\n', end));
          assert.ok(
            reading.slots.some((slot) => slot.text.includes(secret)),
            `cut at ${from} and ${to} in ${JSON.stringify(make('…'))}`,
          );
        },
      ),
      { seed: 4, numRuns: 600 },
    );
  });
});
