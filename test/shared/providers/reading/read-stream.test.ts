import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { type ExtractedBody, formatByName } from '../../../../shared/providers/index.ts';
import { assertLinear } from '../../../support/cpu-time.ts';

const fixture = (name: string): string =>
  readFileSync(new URL(`../../../fixtures/provider-bodies/${name}.stream.txt`, import.meta.url), 'utf8');
const read = (body: string): ExtractedBody => formatByName('openai-chat').readStream(body);
const textsOf = (reading: ExtractedBody): string[] =>
  reading.slots
    .filter((slot) => !['other', 'identifier', 'metadata'].includes(slot.role))
    .map((slot) => `${slot.role}: ${slot.text}`);
const identifiers = (reading: ExtractedBody): string =>
  reading.slots.find((slot) => slot.path === '#stream:identifiers')?.text ?? '';
const frame = (data: unknown, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;

describe('readStream', () => {
  it('joins the deltas of chat completions', () => {
    const reading = read(fixture('openai-chat'));
    assert.deepEqual(textsOf(reading), [
      'assistant: The total is 12,50.',
      'tool_call: pay',
      'tool_call: {"sum":"12,50"}',
    ]);
    assert.equal(identifiers(reading), 'chatcmpl-1\ngpt-4o-mini-2024-07-18\nfp_1\naB1\ncD2\neF3\ncall_2');
    assert.deepEqual(
      [reading.model, reading.stream, reading.unscanned],
      ['gpt-4o-mini-2024-07-18', true, []],
    );
  });

  it('joins the deltas of messages, block by block', () => {
    const reading = read(fixture('anthropic-messages'));
    assert.deepEqual(textsOf(reading), [
      'assistant: The board wrote it.',
      'assistant: c2lnbmVk',
      'assistant: It is from the board.',
      'tool_call: {"to": "board"}',
      'assistant: It',
      'tool_call: reply',
    ]);
    assert.equal(reading.model, 'claude-sonnet-4-5-20250929');
  });

  it('joins the deltas of responses and reads repeated texts once', () => {
    const reading = formatByName('openai-responses').readStream(fixture('openai-responses'));
    assert.deepEqual(textsOf(reading), [
      'assistant: One error at 9:17.',
      'tool_call: {"page":"ops"}',
      'system: Be brief.',
      'tool_call: page',
    ]);
    assert.equal(reading.model, 'gpt-4.1-2025-04-14');
  });

  const OUTSIDE: readonly (readonly [string, string])[] = [
    ['a comment', ': canary\n\n'],
    ['an event name', 'event: canary\ndata: {}\n\n'],
    ['an event without data', 'event: canary\n\n'],
    ['an id', 'id: canary\ndata: {}\n\n'],
    ['an unknown field', 'hidden: canary\n\n'],
    ['a line without a field', 'canary\n'],
    ['a frame that is not JSON', 'data: canary\n\n'],
    ['a frame of two lines', 'data: {"choices":\ndata: [{"delta":{"content":"canary"}}]}\n\n'],
    ['a frame that is not an object', 'data: ["canary"]\n\n'],
    ['a frame that breaks off', 'data: {"choices":[{"delta":{"content":"canary'],
    ['a last frame without its blank line', 'data: {"x":"canary"}'],
    ['after a byte order mark', '\ufeffdata: {"x":"canary"}\n\n'],
    ['after the end', 'data: [DONE]\n\ndata: {"error":{"message":"canary"}}\n\n'],
    ['an error', frame({ type: 'error', error: { type: 'api_error', message: 'canary' } }, 'error')],
    ['a member name', frame({ choices: [{ delta: { canary: 1 } }] })],
    [
      'a citation',
      frame({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'citations_delta', citation: { cited_text: 'canary' } },
      }),
    ],
    [
      'a search result',
      frame({
        type: 'content_block_start',
        index: 0,
        content_block: {
          type: 'web_search_tool_result',
          content: [{ type: 'web_search_result', title: 'canary' }],
        },
      }),
    ],
    [
      'an item',
      frame({ type: 'response.output_item.added', item: { type: 'custom_tool_call', input: 'canary' } }),
    ],
    [
      'log probabilities',
      frame({ choices: [{ delta: {}, logprobs: { content: [{ token: 'can' }, { token: 'ary' }] } }] }),
    ],
  ];
  for (const [place, body] of OUTSIDE) {
    it(`finds ${place}`, () => {
      assert.ok(
        read(body).slots.some((slot) => slot.text.includes('canary')),
        JSON.stringify(read(body).slots),
      );
    });
  }

  it('lists audio instead of reading it', () => {
    const data = Buffer.alloc(900).toString('base64');
    const reading = read(
      frame({ choices: [{ index: 0, delta: { audio: { id: 'audio_1', data } } }] }) +
        frame({ type: 'response.audio.delta', delta: data }),
    );
    assert.deepEqual(
      reading.unscanned.map((one) => one.reason),
      ['unsupported_type', 'unsupported_type'],
    );
    assert.ok(!reading.slots.some((slot) => slot.text.includes('AAAA')));
  });

  it('reads arguments with their escapes decoded', () => {
    const reading = read(
      frame({
        choices: [
          {
            index: 0,
            delta: { tool_calls: [{ index: 0, function: { arguments: '{"cmd":"r\\u006d -rf' } }] },
          },
        ],
      }) +
        frame({
          choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: ' /"}' } }] } }],
        }),
    );
    assert.ok(textsOf(reading).includes('tool_call: rm -rf /'));
  });

  it('is linear in streams designed to be slow', () => {
    for (const [name, make] of Object.entries({
      'short events': (n: number) => `${'data: {"x":"y"}\n\n'.repeat(n)}\r`,
      'empty lines': (n: number) => '\n'.repeat(n * 8),
      'an event of many lines': (n: number) => 'data: a\n'.repeat(n),
      'a line without end': (n: number) => `data: ${'x'.repeat(n * 8)}`,
    })) {
      assertLinear(name, make, read, 20_000);
    }
  });
});
