import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMcpGuard, guardLines, type McpContent } from '@csg/shared/providers';

type Seen = readonly ['call', string, object] | readonly ['content', string, McpContent['from']];

function guardAgainst(word: string) {
  const seen: Seen[] = [];
  const ruling = (value: unknown) => (JSON.stringify(value).includes(word) ? 'It says so.' : null);
  const guard = createMcpGuard({
    async evaluateCall(tool, input) {
      seen.push(['call', tool, input]);
      return ruling(input);
    },
    async evaluateContent({ source, from, value, texts }) {
      seen.push(['content', source, from]);
      const redacted = texts.map((text) => text.replace('private', '[X]'));
      return { reason: ruling(value), texts: redacted };
    },
  });
  return { guard: guardLines(guard), seen };
}
const rpc = (more: object) => JSON.stringify({ jsonrpc: '2.0', ...more });
const call = (id: number | string, text: string) =>
  rpc({ id, method: 'tools/call', params: { name: 'send', arguments: { text } } });
const passes = (line: string) => ({ onward: line, back: [], problem: null });

test('a harmless line passes unchanged, numbers and spaces included', async () => {
  const { guard, seen } = guardAgainst('evil');
  const line =
    '{ "jsonrpc":"2.0", "id": 9007199254740993, "method":"tools/call","params":{"name":"x","arguments":{"n":1e2}} }';
  assert.deepEqual(await guard.fromClient(line), passes(line));
  assert.deepEqual(seen, [['call', 'x', { n: 100 }]]);
  for (const other of [rpc({ id: 1, method: 'ping' }), rpc({ method: 'notifications/initialized' })])
    assert.deepEqual(await guard.fromClient(other), passes(other));
});

test('a denied call gets a tool error and never reaches the server', async () => {
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
  await guard.fromClient(rpc({ id: 4, method: 'ping' }));
  const ping = await guard.fromServer(rpc({ id: 4, result: evil }));
  assert.match(ping.onward ?? '', /-32001.*withheld/, 'whatever the request was');
  const unrequested = await guard.fromServer(rpc({ id: 'evil', result: {} }));
  assert.deepEqual([unrequested.onward, unrequested.back], [null, []]);
});

test('a denied request of the server gets an error back', async () => {
  const { guard } = guardAgainst('evil');
  const sampling = rpc({ id: 's', method: 'sampling/createMessage', params: { text: 'evil' } });
  const { onward, back } = await guard.fromServer(sampling);
  assert.equal(onward, null);
  assert.equal(JSON.parse(back[0] ?? '').error.code, -32001);
});

test('notifications, ids, unknown methods, other members and responses of the client are evaluated', async () => {
  const { guard } = guardAgainst('evil');
  for (const message of [
    { method: 'notifications/message', params: { data: 'evil' } },
    { method: 'notifications/evil' },
    { id: 'evil', method: 'ping' },
    { id: 1, method: 'initialize', params: { clientInfo: { name: 'evil' } } },
    { id: 2, method: 'tools/call', params: { name: 'send', _meta: { note: 'evil' } } },
    { id: 3, method: 'tools/call', params: { name: 'send' }, more: 'evil' },
    { id: 4, result: { content: { text: 'evil' } } },
    { id: 5, method: 'ping', evil: 1 },
  ]) {
    const line = rpc(message);
    const { onward, problem } = await guard.fromClient(line);
    // The server waits for a response, and gets an error.
    if ('result' in message) assert.match(onward ?? '', /"error".*withheld/);
    else assert.equal(onward, null, line);
    assert.doesNotMatch(onward ?? '', /evil/);
    assert.match(problem ?? '', /was withheld/, line);
    if (message.method !== 'tools/call')
      assert.doesNotMatch((await guard.fromServer(line)).onward ?? '', /evil/, line);
  }
});

test('a call whose arguments are not an object is rejected', async () => {
  const { guard, seen } = guardAgainst('evil');
  for (const params of ['evil', [], { name: 1 }, { name: 'send', arguments: 'evil' }, { arguments: {} }]) {
    const { onward, back } = await guard.fromClient(rpc({ id: 1, method: 'tools/call', params }));
    assert.equal(onward, null);
    assert.equal(JSON.parse(back[0] ?? '').error.code, -32602);
  }
  assert.deepEqual(seen, []);
});

test('redacted texts are written in place, and the rest of the message stays unchanged', async () => {
  const { guard } = guardAgainst('evil');
  await guard.fromClient(call(1, 'x'));
  const result = rpc({ id: 1, result: { content: [{ type: 'text', text: 'a private note' }], n: 1 } });
  const { onward, problem } = await guard.fromServer(result);
  assert.equal(onward, result.replace('private', '[X]'));
  assert.equal(problem, null);
});

test('only denied messages are removed from a batch', async () => {
  const { guard } = guardAgainst('evil');
  const batch = `[${call(1, 'good')},${call(2, 'evil')}]`;
  const { onward, back } = await guard.fromClient(batch);
  assert.deepEqual(JSON.parse(onward ?? ''), [JSON.parse(call(1, 'good'))]);
  assert.equal(JSON.parse(back[0] ?? '')[0].id, 2);
});

test('an ambiguous line is dropped', async () => {
  const { guard } = guardAgainst('evil');
  for (const line of ['{', 'log output', '{"id":1,"method":"ping","method":"tools/call"}']) {
    for (const side of ['fromClient', 'fromServer'] as const) {
      const { onward, problem } = await guard[side](line);
      assert.equal(onward, null);
      assert.match(problem ?? '', /^A line was dropped: /);
    }
  }
});
