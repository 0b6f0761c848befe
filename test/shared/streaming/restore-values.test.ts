import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatByName } from '@csg/shared/providers';
import fc from 'fast-check';
import {
  restoreInJson as restoringInJson,
  restoreInStream as restoringInStream,
} from '../../../shared/streaming/restore-values.ts';
import { finish } from '../../../shared/text/index.ts';

const restoreInJson = (...given: Parameters<typeof restoringInJson>) => finish(restoringInJson(...given));

const restoreInStream = (...given: Parameters<typeof restoringInStream>) =>
  finish(restoringInStream(...given));

const VALUES = new Map([
  ['[EMAIL_7K3M9QWX]', '"anna b"@example.com'],
  ['[PHONE_00000000]', '+49 30 1234567'],
  ['[CREDIT_CARD_ABCDEFGH]', '4111\\1111'],
]);
const restore = ({ placeholder }: { readonly placeholder: string }) => VALUES.get(placeholder) ?? null;
const plain = (text: string) =>
  [...VALUES].reduce((changed, [placeholder, value]) => changed.replaceAll(placeholder, value), text);

const frame = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
/** How providers send a text piece by piece, and where `readStream` finds it. */
const KINDS = [
  {
    format: 'openai-chat',
    piece: (content: string) => frame({ id: 'content', choices: [{ index: 0, delta: { content } }] }),
  },
  {
    format: 'openai-chat',
    piece: (text: string) =>
      frame({ choices: [{ index: 0, delta: { content: text }, logprobs: { content: [{ token: text }] } }] }),
  },
  {
    format: 'anthropic-messages',
    piece: (text: string) =>
      frame({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
  },
  {
    format: 'openai-responses',
    piece: (delta: string) =>
      frame({ type: 'response.output_text.delta', output_index: 0, content_index: 0, delta }),
  },
  {
    format: 'gemini-generate',
    piece: (text: string) =>
      frame({ candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] } }] }),
  },
] as const;

const word = fc.oneof(
  fc.constantFrom(
    ...VALUES.keys(),
    '[EMAIL_7K3M9QWZ]',
    '[EMAIL_',
    '7K3M9QWX]',
    'text',
    'content',
    ' ',
    '\n',
    '"',
    'ü😀',
  ),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
);
const text = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(''));
const RUNS = { seed: 20_261_123, numRuns: 1_500 };

function textIn(body: string, format: string): string {
  const { slots } = formatByName(format).readStream(body);
  return (
    slots.find(
      ({ path, role }) => path.startsWith('#stream:/') && !path.includes('logprobs') && role === 'assistant',
    )?.text ?? ''
  );
}

describe('restored values', () => {
  test('in a stream of any provider, split anywhere', () => {
    fc.assert(
      fc.property(
        text,
        fc.constantFrom(...KINDS),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        fc.boolean(),
        (whole, { format, piece }, sizes, hasReturns) => {
          let body = '';
          for (let at = 0, turn = 0; at < whole.length; turn++) {
            const next = at + sizes[turn % sizes.length]!;
            body += piece(whole.slice(at, next));
            at = next;
          }
          if (hasReturns) body = body.replaceAll('\n', '\r\n');
          const restored = restoreInStream(body, formatByName(format).readFrames()!, restore);
          assert.equal(textIn(restored, format), textIn(body, format) && plain(textIn(body, format)));
          if (plain(whole) === whole) assert.equal(restored, body);
        },
      ),
      RUNS,
    );
  });

  test('in arguments of a tool, which stay JSON at every split', () => {
    fc.assert(
      fc.property(text, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (value, sizes) => {
        const whole = JSON.stringify({ to: value });
        let body = '';
        for (let at = 0, turn = 0; at < whole.length; turn++) {
          const next = at + sizes[turn % sizes.length]!;
          const call = { index: 0, function: { arguments: whole.slice(at, next) } };
          body += frame({ choices: [{ index: 0, delta: { tool_calls: [call] } }] });
          at = next;
        }
        const restored = restoreInStream(body, formatByName('openai-chat').readFrames()!, restore);
        const slots = formatByName('openai-chat').readStream(restored).slots;
        const args = slots.find(({ path }) => path.endsWith('/arguments'))?.text ?? '';
        assert.deepEqual(JSON.parse(args), { to: plain(value) });
      }),
      RUNS,
    );
  });

  test('in a body: only the placeholders change, in values and in JSON within them', () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        const inner = JSON.stringify({ to: other });
        const body = `{ "a" : ${JSON.stringify(one)},"n": 1.0, "arguments":${JSON.stringify(inner)}}`;
        const restored = restoreInJson(body, restore);
        const value = JSON.parse(restored);
        const isJson = /^\s*[[{]/.test(one);
        if (!isJson) assert.equal(value.a, plain(one));
        assert.deepEqual(JSON.parse(value.arguments), { to: plain(other) });
        assert.ok(restored.startsWith('{ "a" : "') && restored.includes('"n": 1.0, '));
      }),
      RUNS,
    );
  });
});

test('escapes before, between and after placeholders stay as written', () => {
  const [EMAIL, PHONE] = ['[EMAIL_7K3M9QWX]', '[PHONE_00000000]'];
  const around = ['\\u00e9 \\n', '\\ud83d\\ude00 \\"x\\" ', '\\u005c', '\\\\'];
  for (const first of around)
    for (const second of around) {
      const write = (one: string, other: string) => `{"a":"${first} ${one}${second} ${other}${first}"}`;
      const due = write('\\"anna b\\"@example.com', '+49 30 1234567');
      assert.equal(restoreInJson(write(EMAIL!, PHONE!), restore), due);
    }
});
