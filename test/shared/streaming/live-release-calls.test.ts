import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileRuleset, Workspace } from '@csg/shared/detection';
import { formatByName, type ToolCall } from '@csg/shared/providers';
import { createRelease } from '@csg/shared/streaming';
import { amazonFraming } from '../../../apps/cloud/src/upstream/amazon/event-stream.ts';
import { LiveStream } from '../../../shared/streaming/live-stream.ts';
import { amazonMessage } from '../../support/amazon-stream.ts';

const RULESET = compileRuleset({ useCase: 'default', strictness: 'moderate', policies: [] });
const PROSE = 'The report for the second quarter is ready, and my team has read it in full.';
const KEY = `AKIA${'IOSFODNN7'}${'QWERTYU'}`;

const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const cut = (text: string): string[] => text.match(/.{1,9}/g) ?? [];

const opened = (index: number, content_block: object) =>
  data({ type: 'content_block_start', index, content_block });
const stopped = (index: number) => data({ type: 'content_block_stop', index });
const block = (index: number, type: string, name: string, args: string): string =>
  opened(index, { type, id: 'toolu_01A', name, input: {} }) +
  cut(args)
    .map((partial_json) =>
      data({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json } }),
    )
    .join('') +
  stopped(index);
const words = (index: number, text: string): string =>
  opened(index, { type: 'text', text: '' }) +
  cut(text)
    .map((piece) => data({ type: 'content_block_delta', index, delta: { type: 'text_delta', text: piece } }))
    .join('') +
  stopped(index);
const found = opened(2, {
  type: 'web_search_tool_result',
  tool_use_id: 'toolu_01A',
  content: [{ type: 'web_search_result', title: 'A page', url: 'https://example.com/a', page_age: null }],
});

const item = (type: string, output_index: number, status: string, args: string) =>
  data({
    type: `response.output_item.${type}`,
    output_index,
    item: { id: 'fc', type: 'function_call', status, name: 'read_file', call_id: 'call', arguments: args },
  });
const pieces = (output_index: number, args: string): string =>
  cut(args)
    .map((delta) => data({ type: 'response.function_call_arguments.delta', output_index, delta }))
    .join('');
const [ONE, TWO] = ['{"path":"src/index.ts"}', '{"path":"src/other.ts"}'];

function send(format: string, stream: string, mayCall: (calls: readonly ToolCall[]) => boolean = () => true) {
  const judged: string[] = [];
  const release = createRelease({
    ...{ format: formatByName(format), ruleset: RULESET, workspace: new Workspace() },
    mayCall(calls) {
      judged.push(calls.map(({ name, arguments: args }) => `${name} ${JSON.stringify(args)}`).join(', '));
      return mayCall(calls);
    },
  });
  const source = new LiveStream(release!, () => {});
  source.push(Buffer.from(stream));
  const sent = source.take()?.toString() ?? '';
  return { sent, judged };
}

test('calls are released one by one, each when it is complete', () => {
  const first = words(0, PROSE) + block(1, 'tool_use', 'read_file', ONE);
  const { sent, judged } = send(
    'anthropic-messages',
    first + block(2, 'tool_use', 'read_file', TWO).slice(0, -20),
  );
  assert.equal(sent, first);
  assert.deepEqual(judged, [`read_file ${ONE}`]);
});

test('a provider’s search, its results and the text after them are released', () => {
  const search = block(1, 'server_tool_use', 'web_search', '{"query":"sales of the second quarter"}');
  const { sent } = send(
    'anthropic-messages',
    words(0, PROSE) + search + found + stopped(2) + words(3, PROSE),
  );
  assert.ok(sent.includes('A page') && sent.includes('"index":3,"delta"'), sent);
  const item = {
    id: 'ws',
    type: 'web_search_call',
    status: 'completed',
    action: { type: 'search', query: 'sales' },
  };
  const searched =
    data({ type: 'response.output_item.added', output_index: 0, item: { ...item, action: undefined } }) +
    data({ type: 'response.output_item.done', output_index: 0, item });
  const delta = (text: string) =>
    data({
      type: 'response.output_text.delta',
      item_id: 'm',
      output_index: 1,
      content_index: 0,
      delta: text,
    });
  assert.ok(send('openai-responses', searched + cut(PROSE).map(delta).join('')).sent.includes('output_text'));
});

test('parallel calls are released together', () => {
  const begun = item('added', 0, 'in_progress', '') + item('added', 1, 'in_progress', '');
  const half = begun + pieces(0, ONE) + pieces(1, TWO.slice(0, 9)) + item('done', 0, 'completed', ONE);
  assert.equal(send('openai-responses', half).sent, '');
  const whole = half + pieces(1, TWO.slice(9)) + item('done', 1, 'completed', TWO);
  assert.equal(send('openai-responses', whole).sent, whole);
});

test('nothing is released of a call that may be blocked, or after it', () => {
  const text = words(0, PROSE);
  const stream = text + block(1, 'tool_use', 'read_file', ONE) + words(2, PROSE);
  const isOnlyText = (sent: string): boolean => sent.length > text.length / 2 && text.startsWith(sent);
  assert.ok(isOnlyText(send('anthropic-messages', stream, () => false).sent));
  const secret = text + block(1, 'tool_use', 'read_file', `{"path":"${KEY}"}`) + words(2, PROSE);
  const spelled = JSON.stringify({ path: [...KEY].join('\n') });
  const escaped = text + block(1, 'tool_use', 'read_file', spelled) + words(2, PROSE);
  assert.ok(isOnlyText(send('anthropic-messages', escaped).sent));
  assert.ok(isOnlyText(send('anthropic-messages', secret).sent));
  const whole = text + opened(1, { type: 'tool_use', id: 't', name: 'n', input: { path: KEY } }) + stopped(1);
  assert.ok(isOnlyText(send('anthropic-messages', whole).sent));
});

test('arguments that continue after their end wait, and so does everything after them', () => {
  const call = block(1, 'tool_use', 'read_file', ONE);
  const late = data({
    type: 'content_block_delta',
    index: 1,
    delta: { type: 'input_json_delta', partial_json: KEY },
  });
  const { sent } = send('anthropic-messages', words(0, PROSE) + call + late + words(2, PROSE));
  assert.equal(sent, words(0, PROSE) + call);
});

test('calls of chat completions, which end with the response, wait for it', () => {
  const stream =
    data({ choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] }) +
    data({
      choices: [
        { index: 0, delta: { tool_calls: [{ index: 0, id: 'c', function: { name: 'n', arguments: '' } }] } },
      ],
    }) +
    data({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: ONE } }] } }] }) +
    data({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] });
  assert.ok(!send('openai-chat', stream).sent.includes('tool_calls'));
});

test('a call of Amazon Converse is released when it is complete, and so is the text after it', () => {
  const delta = (contentBlockIndex: number, value: object) =>
    amazonMessage('contentBlockDelta', JSON.stringify({ contentBlockIndex, delta: value, p: 'abcdefgh' }));
  const ended = (contentBlockIndex: number) =>
    amazonMessage('contentBlockStop', JSON.stringify({ contentBlockIndex, p: 'abc' }));
  const toolUse = { toolUseId: 'tooluse_1', name: 'read_file' };
  const call = [
    ...[delta(0, { text: PROSE }), ended(0)],
    amazonMessage('contentBlockStart', JSON.stringify({ contentBlockIndex: 1, start: { toolUse } })),
    ...cut(ONE).map((input) => delta(1, { toolUse: { input } })),
  ];
  const behind = [ended(1), delta(2, { text: `${PROSE} ` }), delta(2, { text: 'More of it' })];
  const left = (messages: readonly Buffer[]) => {
    const release = createRelease({
      ...{ format: formatByName('bedrock-converse'), framing: amazonFraming, ruleset: RULESET },
      ...{ workspace: new Workspace(), mayCall: () => true },
    });
    const source = new LiveStream(release!, () => {});
    for (const message of messages) source.push(message);
    return source.take()?.length ?? 0;
  };
  assert.equal(left(call), Buffer.concat(call.slice(0, 2)).length);
  const { length } = Buffer.concat([...call, ...behind.slice(0, 2)]);
  assert.ok(left([...call, ...behind]) >= length);
});
