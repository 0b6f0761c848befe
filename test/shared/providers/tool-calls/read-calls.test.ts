import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readToolCalls } from '../../../../shared/providers/index.ts';

const short = (body: unknown) => readToolCalls(body).map((call) => [call.name, call.arguments, call.id]);

describe('tool calls in a body', () => {
  test('are found in the interface of every provider', () => {
    const args = { to: 'ann@example.com' };
    const json = JSON.stringify(args);
    for (const [family, body] of Object.entries({
      chat: {
        choices: [{ message: { tool_calls: [{ id: 'c', function: { name: 'send', arguments: json } }] } }],
      },
      legacy: { choices: [{ message: { function_call: { name: 'send', arguments: json } } }] },
      responses: {
        output: [{ type: 'function_call', id: 'fc', call_id: 'c', name: 'send', arguments: json }],
      },
      messages: { content: [{ type: 'tool_use', id: 'c', name: 'send', input: args }] },
      gemini: { candidates: [{ content: { parts: [{ functionCall: { id: 'c', name: 'send', args } }] } }] },
      converse: {
        output: { message: { content: [{ toolUse: { toolUseId: 'c', name: 'send', input: args } }] } },
      },
    }))
      assert.deepEqual(short(body), [['send', args, family === 'legacy' ? null : 'c']], family);
  });

  test('include tools that the provider runs, by the type of their item', () => {
    const output = [
      { type: 'local_shell_call', call_id: 'a', action: { command: ['ls'] } },
      { type: 'code_interpreter_call', id: 'b', code: 'print(1)' },
      { type: 'mcp_approval_request', id: 'c', name: 'pay', server_label: 'bank', arguments: '{}' },
    ];
    assert.deepEqual(short({ output }), [
      ['local_shell', { command: ['ls'] }, 'a'],
      ['code_interpreter', { input: 'print(1)' }, 'b'],
      ['pay', {}, 'c'],
    ]);
  });

  test('do not include definitions of tools, settings or results of functions', () => {
    const definition = { type: 'function', function: { name: 'send', parameters: {} } };
    const call = { name: 'x', args: {} };
    const body = {
      ...{ tools: [definition], other: [definition], tool_choice: definition, metadata: { function: call } },
      ...{
        functions: [{ function: call }],
        parts: [{ functionResponse: { response: { functionCall: call } } }],
      },
    };
    assert.deepEqual(short(body), []);
  });

  test('are read whatever types and members surround them', () => {
    const entry = { id: 'c', function: { name: 'bash', arguments: '{}' } };
    const use = { type: 'tool_use', name: 'bash', input: {} };
    const note = { name: 'note', arguments: '{}' };
    for (const [what, body] of Object.entries({
      resultBody: { type: 'x_result', choices: [{ message: { tool_calls: [entry] } }] },
      outputMessage: { choices: [{ type: 'x_error', message: { type: 'x_output', tool_calls: [entry] } }] },
      callBody: { type: 'x_call', choices: [{ message: { tool_calls: [entry] } }] },
      functionCall: { choices: [{ message: { function_call: note, tool_calls: [entry] } }] },
      topCall: { function_call: note, toolUse: note, content: [use] },
      definition: { tool_calls: [{ function: { name: 'bash', strict: true } }] },
      bare: { tool_calls: [{ name: 'bash' }] },
      resultBlock: { content: [{ type: 'tool_result', name: 'bash', input: {} }] },
      nested: { function: { ...note, tool_calls: [entry] } },
      inResult: { content: [{ type: 'mcp_tool_result', content: [use] }] },
      list: { tool_calls: { 0: entry } },
    }))
      assert.ok(
        readToolCalls(body).some(({ name }) => name === 'bash'),
        what,
      );
  });

  test('keep arguments that are not a JSON object, and spell equal ones the same', () => {
    const call = (given: unknown) =>
      readToolCalls({ tool_calls: [{ function: { name: 'f', arguments: given } }] })[0]!;
    assert.deepEqual(call('rm -rf').arguments, { input: 'rm -rf' });
    assert.deepEqual(call('[1]').arguments, { input: [1] });
    assert.deepEqual(call('{"a":').arguments, { input: '{"a":' });
    assert.deepEqual(call('').arguments, {});
    assert.equal(call('{"b":1, "a":2}').spelling, call('{"a":2,"b":1}').spelling);
    assert.notEqual(call('{"a":9007199254740993}').spelling, call('{"a":9007199254740992}').spelling);
    assert.deepEqual(call('{"a":[9007199254740993]}').arguments, { a: ['9007199254740993'] });
  });

  test('keep arguments with a duplicate member as text: they are approved as written', () => {
    const twice = '{"to":"eve","to":"ann"}';
    const [call] = readToolCalls({ type: 'function_call', name: 'f', arguments: twice });
    assert.deepEqual([call?.arguments, call?.spelling], [{ input: twice }, twice]);
  });

  test('are not comparable if a number in an object lost digits', () => {
    const spelling = (json: string) =>
      readToolCalls(JSON.parse(`{"content":[{"type":"tool_use","name":"f","input":${json}}]}`))[0]!.spelling;
    assert.equal(spelling('{"b":1.5,"a":9007199254740991}'), '{"a":9007199254740991,"b":1.5}');
    for (const json of ['{"to":12345678901234567890}', '{"a":[{"b":9007199254740993}]}', '{"a":1e999}'])
      assert.equal(spelling(json), null, json);
  });

  test('are read at any depth of their arguments, and with any numbers', () => {
    const nested = (open: string, close: string) => `${open.repeat(50_000)}1${close.repeat(50_000)}`;
    for (const given of [nested('[', ']'), nested('{"a":', '}'), '{"a":1e999}']) {
      const [call] = readToolCalls({ type: 'function_call', name: 'f', arguments: given });
      assert.ok(call?.spelling === given, given.slice(0, 12));
    }
  });
});
