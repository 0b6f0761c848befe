import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatByName, formatOf } from '../../../../shared/providers/index.ts';
import { CALL_APIS, plainForm } from '../../../support/calls/call-forms.ts';
import { assertLinear } from '../../../support/cpu-time.ts';

const SIZE = 200;
const sse = (frames: readonly object[]): string =>
  frames.map((frame) => `event: e\ndata: ${JSON.stringify(frame)}\n\n`).join('');
const many = <Item>(size: number, make: (at: number) => Item): Item[] =>
  Array.from({ length: size }, (_, at) => make(at));
const delta = (call: object) => ({ choices: [{ index: 0, delta: { tool_calls: [call] } }] });
const piece = (jsonPath: string) => ({ partialArgs: [{ jsonPath, stringValue: 'x', willContinue: true }] });
const part = (functionCall: object) => ({ candidates: [{ content: { parts: [{ functionCall }] } }] });
const block = (at: number) => ({
  ...{ type: 'content_block_start', index: 0 },
  content_block: { type: 'tool_use', id: `t${at}`, name: 'note', input: {} },
});

/** Streams with many pieces that could belong to each other. */
const HOSTILE: Readonly<
  Record<string, readonly [format: string, frames: (size: number) => readonly object[]]>
> = {
  'names that open calls at one index': [
    'openai-chat',
    (size) => many(size, () => delta({ index: 0, id: 'a', function: { name: 'note', arguments: '{}' } })),
  ],
  'ids at one index': [
    'openai-chat',
    (size) =>
      many(size, (at) => delta({ index: 0, id: `a${at}`, function: { name: 'note', arguments: '{' } })),
  ],
  'pieces without a place': [
    'openai-chat',
    (size) => [
      ...many(size, (at) => delta({ index: at, id: `a${at}`, function: { name: 'note', arguments: '{' } })),
      ...many(size, () => delta({ function: { arguments: '}' } })),
    ],
  ],
  'pieces of one argument': [
    'gemini-stream',
    (size) => [part({ name: 'note', willContinue: true }), ...many(size, () => part(piece('$.a')))],
  ],
  'pieces of many arguments': [
    'gemini-stream',
    (size) => [
      part({ name: 'note', willContinue: true }),
      ...many(size, (at) => part({ ...piece(`$.a[${at}].b`), willContinue: true })),
    ],
  ],
  'calls that stay open': [
    'gemini-stream',
    (size) => [
      ...many(size, () => part({ name: 'note', willContinue: true })),
      ...many(size, () => part({ ...piece('$.a'), willContinue: true })),
    ],
  ],
  'blocks that are opened at one index and never closed': [
    'anthropic-messages',
    (size) =>
      many(2 * size, (at) =>
        at % 2 === 0
          ? block(at)
          : {
              type: 'content_block_delta',
              index: 0,
              delta: { type: 'input_json_delta', partial_json: '{"a":[' },
            },
      ),
  ],
  'responses that repeat an item': [
    'openai-responses',
    (size) => {
      const output = [{ type: 'function_call', id: 'f', call_id: 'c', name: 'note', arguments: '{"a":1}' }];
      return many(size, () => ({ type: 'response.completed', response: { output } }));
    },
  ],
};

describe('calls are read in linear time', () => {
  for (const api of CALL_APIS)
    for (const isStream of [false, true])
      test(`as the interface has them (${api}${isStream ? ', streamed' : ''})`, () => {
        const toolCalls = (size: number) =>
          many(size, (at) => ({ name: 'note', arguments: `{"page":"${at}"}` }));
        const read = ({ endpoint, text, body }: ReturnType<typeof plainForm> & { body: unknown }) =>
          isStream
            ? formatOf(endpoint).readStreamCalls(text)
            : formatOf(endpoint).readCalls(body, () => text);
        const make = (size: number) => {
          const form = plainForm(api, toolCalls(size), isStream);
          return { ...form, body: isStream ? null : JSON.parse(form.text) } as never;
        };
        assert.equal(read(make(SIZE)).length, SIZE);
        assertLinear(api, make, read, SIZE);
      });

  for (const [what, [format, frames]] of Object.entries(HOSTILE))
    test(what, () => {
      const { readStreamCalls } = formatByName(format);
      assert.ok(readStreamCalls(sse(frames(SIZE))).length > 0);
      assertLinear(what, (size) => sse(frames(size)), readStreamCalls, SIZE);
    });
});
