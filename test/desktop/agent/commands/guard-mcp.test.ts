import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMcpGuard, type McpHook } from '../../../../apps/desktop/src/agent/commands/guard-mcp.ts';

function guardAgainst(word: string) {
  const seen: McpHook[] = [];
  const guard = createMcpGuard(async (hook) => {
    seen.push(hook);
    return JSON.stringify(hook).includes(word) ? 'It says so.' : null;
  });
  return { guard, seen };
}
const rpc = (more: object) => JSON.stringify({ jsonrpc: '2.0', ...more });
const call = (id: number | string, text: string) =>
  rpc({ id, method: 'tools/call', params: { name: 'send', arguments: { text } } });
const passes = (line: string) => ({ onward: line, back: [], problem: null });

test('what is harmless passes as the line it came as, numbers and spaces included', async () => {
  const { guard, seen } = guardAgainst('evil');
  const line =
    '{ "jsonrpc":"2.0", "id": 9007199254740993, "method":"tools/call","params":{"name":"x","arguments":{"n":1e2}} }';
  assert.deepEqual(await guard.fromClient(line), passes(line));
  assert.deepEqual(seen, [{ hook_event_name: 'BeforeMcpCall', tool_name: 'x', tool_input: { n: 100 } }]);
  for (const other of [rpc({ id: 1, method: 'ping' }), rpc({ method: 'notifications/initialized' })])
    assert.deepEqual(await guard.fromClient(other), passes(other));
});

test('a denied call is answered with a tool error and never reaches the server', async () => {
  const { guard } = guardAgainst('evil');
  const { onward, back, problem } = await guard.fromClient(call('a', 'evil'));
  assert.equal(onward, null);
  assert.equal(problem, 'The call of send was not made. It says so.');
  const content = [{ type: 'text', text: problem }];
  assert.deepEqual(
    back.map((line) => JSON.parse(line)),
    [{ jsonrpc: '2.0', id: 'a', result: { isError: true, content } }],
  );
});

test('a denied result is withheld: of a call as a tool error, of a list as an error', async () => {
  const { guard } = guardAgainst('evil');
  const evil = { content: [{ type: 'text', text: 'evil' }] };
  await guard.fromClient(call(1, 'x'));
  const result = await guard.fromServer(rpc({ id: 1, result: evil }));
  assert.match(result.onward ?? '', /"isError":true.*The result of send was withheld/);
  await guard.fromClient(rpc({ id: 2, method: 'tools/list' }));
  const list = await guard.fromServer(rpc({ id: 2, result: { tools: [{ name: 'evil' }] } }));
  assert.match(list.onward ?? '', /"code":-32001,"message":"The result of tools\/list was withheld/);
  await guard.fromClient(call(3, 'x'));
  const error = await guard.fromServer(rpc({ id: 3, error: { code: 1, message: 'evil' } }));
  assert.match(error.onward ?? '', /withheld/);
  const unrelated = rpc({ id: 4, result: evil });
  assert.deepEqual(await guard.fromServer(unrelated), passes(unrelated), 'of a request that brings no texts');
});

test('a request of the server that is denied goes back to it', async () => {
  const { guard } = guardAgainst('evil');
  const sampling = rpc({ id: 's', method: 'sampling/createMessage', params: { text: 'evil' } });
  const { onward, back } = await guard.fromServer(sampling);
  assert.equal(onward, null);
  assert.equal(JSON.parse(back[0] ?? '').error.code, -32001);
});

test('of a batch only what is denied is taken out', async () => {
  const { guard } = guardAgainst('evil');
  const batch = `[${call(1, 'good')},${call(2, 'evil')}]`;
  const { onward, back } = await guard.fromClient(batch);
  assert.deepEqual(JSON.parse(onward ?? ''), [JSON.parse(call(1, 'good'))]);
  assert.equal(JSON.parse(back[0] ?? '')[0].id, 2);
});

test('a line that two readers could read differently is dropped', async () => {
  const { guard } = guardAgainst('evil');
  for (const line of ['{', 'log output', '{"id":1,"method":"ping","method":"tools/call"}']) {
    for (const side of ['fromClient', 'fromServer'] as const) {
      const { onward, problem } = await guard[side](line);
      assert.equal(onward, null);
      assert.match(problem ?? '', /^A line was dropped: /);
    }
  }
});
