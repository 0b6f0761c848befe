import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import {
  everyReading,
  formatByName,
  formatOf,
  READ_IN_TWO_WAYS,
  readInTwoWays,
  type ToolCall,
  unapprovedReadings,
} from '../../../../shared/providers/index.ts';
import { CALL_APIS, plainForm } from '../../../support/calls/call-forms.ts';
import { plain } from '../../../support/canary-template.ts';
import { SAMPLES, spellFrames } from '../../../support/provider-samples.ts';

const request = {
  tools: ['bash', 'note'].map((name) => ({ type: 'function', function: { name, parameters: {} } })),
};
const chatCalls = (entry: object, format = 'openai-chat'): readonly ToolCall[] => {
  const body = { choices: [{ message: { tool_calls: [entry] } }] };
  return formatByName(format).readCalls(body, () => JSON.stringify(body));
};
const chat = (entry: object): ToolCall => chatCalls(entry)[0]!;
const bash = { name: 'bash', arguments: '{"command":"ls"}' };
const note = { name: 'note', arguments: '{}' };

describe('calls that are read in two ways', () => {
  const differs = (call: ToolCall): boolean => readInTwoWays([call], request).length === 1;

  test('differ in name or arguments', () => {
    assert.ok(differs(chat({ type: 'custom', function: note, custom: { name: 'bash', input: 'ls' } })));
    assert.ok(differs(chat({ function: { ...bash, input: '{"command":"rm"}' } })));
    assert.ok(differs(chat({ function: bash, function_call: note })));
    assert.ok(differs(chat({ function: { name: 'bash', arguments: '{"command":"rm","command":"ls"}' } })));
  });

  test('do not if a reading has an undefined tool, no JSON, or the same call', () => {
    assert.ok(!differs(chat({ function: bash, custom: { name: 'other', input: 'ls' } })));
    assert.ok(!differs(chat({ function: { ...bash, input: 'no JSON' } })));
    assert.ok(!differs(chat({ function: { ...bash, args: { command: 'ls' } } })));
    assert.ok(!differs(chat({ function: { name: 'bash', arguments: '{"a":1,"a":1}' } })));
    assert.ok(!differs(chat({ function: bash })));
    assert.deepEqual(readInTwoWays([chat({ function: bash, function_call: note })], null), []);
  });

  test('keep all readings, of which an approval covers the first alone', () => {
    const call = chat({ function: bash, custom: { name: 'note', input: 'x' } });
    assert.deepEqual(
      everyReading([call]).map(({ name }) => name),
      ['bash', 'note'],
    );
    assert.deepEqual([...unapprovedReadings([call])], call.others);
    assert.equal(
      unapprovedReadings([chat({ function: { name: 'bash', arguments: '{"command":' } })]).size,
      0,
    );
    assert.match(READ_IN_TWO_WAYS, /read in two ways/);
  });
});

test('the own client of an interface decides which reading is the first', () => {
  const block = { type: 'tool_use', name: 'bash', input: { a: 1 }, arguments: { b: 2 }, function: note };
  const part = { functionCall: { name: 'bash', args: { a: 1 }, arguments: { b: 2 } }, function: note };
  for (const [format, body] of Object.entries({
    'anthropic-messages': { content: [block] },
    'bedrock-invoke': { content: [block] },
    'gemini-generate': { candidates: [{ content: { parts: [part] } }] },
    'openai-responses': {
      output: [
        { type: 'function_call', name: 'bash', arguments: '{"a":1}', input: { b: 2 }, function: note },
      ],
    },
    'bedrock-converse': {
      output: {
        message: {
          content: [{ toolUse: { name: 'bash', input: { a: 1 }, args: { b: 2 } }, function: note }],
        },
      },
    },
  })) {
    const [call] = formatByName(format).readCalls(body, () => JSON.stringify(body));
    assert.deepEqual([call?.name, call?.arguments], ['bash', { a: 1 }], format);
    assert.deepEqual(call?.others.map(({ name }) => name).toSorted(), ['bash', 'note'], format);
  }
  const without = { content: [{ type: 'tool_use', name: 'bash', arguments: { b: 2 } }] };
  const [call] = formatByName('anthropic-messages').readCalls(without, () => JSON.stringify(without));
  assert.deepEqual([call?.arguments, call?.others[0]?.arguments], [{}, { b: 2 }]);
});

describe('recorded and documented answers', () => {
  const expectOneWay = (calls: readonly ToolCall[], what: string): void => {
    for (const { name, others } of calls)
      assert.deepEqual(
        others.filter(({ isWellFormed }) => isWellFormed),
        [],
        `${what}: ${name}`,
      );
  };

  test('are read in one way, whole and streamed', () => {
    for (const { endpoint, response, frames } of SAMPLES) {
      const format = formatOf(endpoint);
      const body = plain(response);
      expectOneWay(
        format.readCalls(body, () => JSON.stringify(body)),
        endpoint.name,
      );
      // Samples of Messages show every event, not the blocks of one answer.
      const isOneAnswer = !['anthropic-messages', 'bedrock-invoke'].includes(format.name);
      if (frames.length > 0 && isOneAnswer)
        expectOneWay(format.readStreamCalls(spellFrames(endpoint, frames)), `${endpoint.name}, streamed`);
    }
  });

  const toolCalls = [
    { name: 'bash', arguments: '{"command":"ls","n":"1.5"}' },
    { name: 'note', arguments: '{"text":"Paris"}' },
  ];
  const plainCalls = toolCalls.map(({ name, arguments: text }) => [name, JSON.parse(text)]);

  for (const api of CALL_APIS)
    for (const isStream of [false, true])
      test(`are read in one way as the interface has them (${api}${isStream ? ', streamed' : ''})`, () => {
        const { endpoint, text } = plainForm(api, toolCalls, isStream);
        const format = formatOf(endpoint);
        const calls = isStream
          ? format.readStreamCalls(text)
          : format.readCalls(JSON.parse(text), () => text);
        assert.deepEqual(
          calls.map(({ name, arguments: args }) => [name, args]),
          plainCalls,
        );
        expectOneWay(calls, api);
      });

  test('are read in one way as servers of chat completions stream them', () => {
    const opening = (id: string, at: number, text: string, more: object = {}) => ({
      ...{ id, type: 'function', function: { name: toolCalls[at]!.name, arguments: text }, ...more },
    });
    const piece = (index: number, text: string, more: object = {}) => ({
      ...{ index, ...more, function: { arguments: text } },
    });
    const [bashText, noteText] = toolCalls.map(({ arguments: text }) => text) as [string, string];
    for (const [what, deltas] of Object.entries({
      'one delta for each call': [
        [opening('a', 0, bashText, { index: 0 })],
        [opening('b', 1, noteText, { index: 1 })],
      ],
      'both in one delta, without an index': [[opening('a', 0, bashText), opening('b', 1, noteText)]],
      'opened together and continued in turn': [
        [opening('a', 0, '', { index: 0 }), opening('b', 1, '', { index: 1 })],
        [piece(0, bashText.slice(0, 9)), piece(1, noteText.slice(0, 9))],
        [piece(0, bashText.slice(9)), piece(1, noteText.slice(9))],
      ],
      'with an empty id and name in what follows': [
        [opening('a', 0, '{"command":', { index: 0 })],
        [{ index: 0, id: '', type: 'function', function: { name: '', arguments: bashText.slice(11) } }],
        [opening('b', 1, '', { index: 1 })],
        [piece(1, noteText, { id: null })],
      ],
    })) {
      const frames = deltas.map((calls) => ({ choices: [{ index: 0, delta: { tool_calls: calls } }] }));
      const body = frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('');
      const calls = formatByName('openai-chat').readStreamCalls(body);
      assert.deepEqual(
        calls.map(({ name, arguments: args }) => [name, args]),
        plainCalls,
        what,
      );
      expectOneWay(calls, what);
    }
  });

  test('are two calls if a server gives both the same index', () => {
    const deltas = toolCalls.map((call, at) => ({
      ...{ index: 0, id: `call_${at}`, type: 'function', function: call },
    }));
    const body = deltas
      .map(
        (call) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [call] } }] })}\n\n`,
      )
      .join('');
    const calls = formatByName('openai-chat').readStreamCalls(body);
    assert.deepEqual(
      calls.map((call) =>
        everyReading([call])
          .filter(({ name, isWellFormed }) => isWellFormed && toolCalls.some((one) => one.name === name))
          .map(({ name, arguments: args }) => [name, args]),
      ),
      plainCalls.map((one) => [one]),
    );
    assert.deepEqual(readInTwoWays(calls, request), []);
  });

  test('are read in one way in the recorded streams', () => {
    const folder = path.resolve(import.meta.dirname, '../../../fixtures/provider-bodies');
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.stream.txt'))) {
      const body = readFileSync(path.join(folder, file), 'utf8');
      expectOneWay(formatByName(file.replace('.stream.txt', '')).readStreamCalls(body), file);
    }
  });
});
