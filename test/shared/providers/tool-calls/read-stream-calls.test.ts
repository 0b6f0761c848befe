import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatByName } from '../../../../shared/providers/index.ts';
import { ANSWER_FORMS } from '../../../support/provider/answers.ts';

const toolCalls = [
  { name: 'send_money', arguments: '{"iban":"DE02 1203 0000 0000 2020 51","amount":12.5}' },
  { name: 'read_file', arguments: '{"path":"a/\\u00e9.txt"}' },
];
const sse = (frames: readonly object[]): string =>
  frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('');
const callsIn = (name: string, body: string) =>
  formatByName(name)!
    .readStreamCalls(body)
    .map((call) => [call.name, call.arguments]);

describe('tool calls in a stream', () => {
  const expected = toolCalls.map((call) => [call.name, JSON.parse(call.arguments)]);

  test('are joined from their pieces, once each', () => {
    for (const [form, name] of [
      ['chat', 'openai-chat'],
      ['messages', 'anthropic-messages'],
      ['responses', 'openai-responses'],
    ] as const)
      assert.deepEqual(
        callsIn(name, ANSWER_FORMS[form].frames({ text: 'Hi', toolCalls }).join('')),
        expected,
        form,
      );
  });

  test('are read without a name, as in a whole response', () => {
    const deltas = ['{"to":', '"a"}'].map((piece) => ({
      index: 0,
      function: { name: '', arguments: piece },
    }));
    const body = sse(deltas.map((one) => ({ choices: [{ index: 0, delta: { tool_calls: [one] } }] })));
    assert.deepEqual(callsIn('openai-chat', body), [['', { to: 'a' }]]);
    assert.deepEqual(callsIn('openai-chat', body.replaceAll('"name":"",', '')), [['', { to: 'a' }]]);
    const empty = [{ index: 0, function: { name: '', arguments: '' } }];
    assert.deepEqual(callsIn('openai-chat', sse([{ choices: [{ delta: { tool_calls: empty } }] }])), []);
  });

  test('are found complete in a frame, with any line end', () => {
    const parts = toolCalls.map((call) => ({
      functionCall: { name: call.name, args: JSON.parse(call.arguments) },
    }));
    const body = sse([{ candidates: [{ content: { parts } }] }]).replaceAll('\n', '\r\n');
    assert.deepEqual(callsIn('gemini-generate', body), expected);
  });

  test('are joined from the messages of Converse', () => {
    const frames = toolCalls.flatMap((call, contentBlockIndex) => [
      {
        type: 'contentBlockStart',
        start: { toolUse: { toolUseId: 't', name: call.name } },
        contentBlockIndex,
      },
      ...[call.arguments.slice(0, 9), call.arguments.slice(9)].map((input) => ({
        ...{ type: 'contentBlockDelta', delta: { toolUse: { input } }, contentBlockIndex },
      })),
    ]);
    const body = frames.map((frame) => JSON.stringify(frame)).join('\n');
    assert.deepEqual(callsIn('bedrock-converse', body), expected);
  });

  test('are joined from Converse by their index alone, and in the order of the messages', () => {
    const opened = (contentBlockIndex: number, name: string, more: object = {}) => ({
      ...{ type: 'contentBlockStart', contentBlockIndex, start: { toolUse: { name } }, ...more },
    });
    const delta = (contentBlockIndex: number, input: string) => ({
      ...{ type: 'contentBlockDelta', contentBlockIndex, delta: { toolUse: { input } } },
    });
    const lines = (...frames: readonly object[]) => frames.map((frame) => JSON.stringify(frame)).join('\n');
    assert.deepEqual(
      callsIn('bedrock-converse', lines(opened(0, 'bash', { index: 7 }), delta(0, '{"c":1}'))),
      [['bash', { c: 1 }]],
    );
    const [note, bash] = formatByName('bedrock-converse').readStreamCalls(
      lines(opened(0, 'note'), opened(1, 'bash'), delta(0, '{"c":1}')),
    );
    assert.deepEqual([note!.arguments, bash!.arguments], [{ c: 1 }, {}]);
    assert.deepEqual(bash!.others[0]!.arguments, { c: 1 });
  });

  test('are shown with the part of cut JSON that the package of Messages gives to its program', () => {
    const frames = ANSWER_FORMS.messages.frames({
      toolCalls: [{ name: 'bash', arguments: '{"a":[1,2],"b":"x"}' }],
    });
    const whole = frames.join('');
    const cut = whole.slice(0, whole.lastIndexOf('event: content_block_delta'));
    const [call] = formatByName('anthropic-messages').readStreamCalls(cut);
    assert.deepEqual(call!.arguments, { a: [1, 2] });
    assert.ok(call!.isWellFormed);
    // The text as written, and the part that other clients read.
    assert.deepEqual(
      call!.others.map(({ arguments: args, isWellFormed }) => [args, isWellFormed]),
      [
        [{ input: '{"a":[1,2],"b":"' }, false],
        [{ a: [1, 2], b: '' }, false],
      ],
    );
  });

  test('are shown as the last whole response has them', () => {
    const frames = ANSWER_FORMS.responses.frames({ toolCalls: [toolCalls[1]!] });
    const other = frames.at(-1)!.replace('"name":"read_file"', '"name":"bash"');
    const [call] = formatByName('openai-responses').readStreamCalls([...frames, other].join(''));
    assert.deepEqual([call!.name, call!.others.map(({ name }) => name)], ['bash', ['read_file']]);
  });

  test('are those that a client sees by deltas, and by whole items', () => {
    const item = { type: 'function_call', call_id: 'c', name: 'pay' };
    const body = sse([
      { type: 'response.output_item.added', output_index: 0, item: { ...item, arguments: '' } },
      { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"to":"a"}' },
      { type: 'response.output_item.done', output_index: 0, item: { ...item, arguments: '{"to":"b"}' } },
    ]);
    const [call, ...more] = formatByName('openai-responses').readStreamCalls(body);
    assert.deepEqual(
      [call?.arguments, call?.others.map(({ arguments: given }) => given), more],
      [{ to: 'b' }, [{ to: 'a' }], []],
    );
  });

  test('are found with escapes, in broken frames and next to unexpected values', () => {
    const escaped =
      'data: {"choices":[{"delta":{"\\u0074ool_calls":[{"index":0,"function":{"name":"f","arguments":{"a":1}}}]}}]}\n\n';
    assert.deepEqual(
      callsIn('openai-chat', `data: {"choices":7}\n\ndata: {broken\n\ndata: null\n\n${escaped}`),
      [['f', { a: 1 }]],
    );
    assert.deepEqual(callsIn('openai-chat', 'data: {"choices":[{"delta":{"content":"hi"}}]}\n\n'), []);
  });
});
