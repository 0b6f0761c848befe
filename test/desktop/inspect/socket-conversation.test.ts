import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSocketConversation } from '../../../apps/desktop/src/inspect/socket-conversation.ts';

const readEvents = (...events: unknown[]) => {
  const conversation = createSocketConversation();
  for (const event of events) conversation.add(event, JSON.stringify(event).length);
  const { slots, problem } = conversation.reading();
  return { texts: slots.map(({ role, text }) => `${role}: ${text}`), problem };
};
const user = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });

test('events of the Responses and the Realtime API form one conversation', () => {
  const result = { type: 'function_call_output', call_id: 'c1', output: 'A page' };
  const { texts } = readEvents(
    { type: 'session.update', session: { instructions: 'Be brief' } },
    { type: 'response.create', input: 'Read it' },
    {
      type: 'response.output_item.done',
      item: { type: 'function_call', call_id: 'c1', name: 'open', arguments: '{}' },
    },
    { type: 'conversation.item.create', item: result },
    { type: 'response.create', response: { input: [user('And now?')] } },
  );
  for (const text of ['user: Read it', 'tool_result: A page', 'user: And now?'])
    assert.ok(texts.includes(text), `${text} in ${texts.join('; ')}`);
  assert.ok(texts.some((text) => text.endsWith(': Be brief')));
});

test('other messages add nothing; of unknown items the texts are read', () => {
  assert.deepEqual(
    readEvents('', [1], null, 7, { type: 'input_audio_buffer.append', audio: 'UklG' }).texts,
    [],
  );
  for (const item of [undefined, null, 'text', 7])
    assert.deepEqual(readEvents({ type: 'conversation.item.create', item }), { texts: [], problem: null });
  const odd = { type: 'conversation.item.create', item: { type: 3, content: { a: [7], b: 'Hello' } } };
  const { problem, texts } = readEvents(odd);
  assert.equal(problem, null);
  assert.ok(
    texts.some((text) => text.endsWith(': Hello')),
    texts.join('; '),
  );
});

test('the oldest items are dropped beyond a limit', () => {
  const long = 'word '.repeat(300_000);
  const { texts } = readEvents(
    { type: 'response.create', input: [user('first')] },
    ...Array.from({ length: 7 }, () => ({ type: 'response.create', input: [user(long)] })),
    { type: 'response.create', input: [user('last')] },
  );
  assert.ok(texts.includes('user: last'));
  assert.ok(!texts.includes('user: first'));
});

test('settings stay until an event changes them, each separately', () => {
  const valueAfter = (...events: unknown[]) => {
    const conversation = createSocketConversation();
    for (const event of events) conversation.add(event, 1);
    return conversation.reading().value;
  };
  const tools = [{ type: 'function', name: 'open' }];
  const update = { type: 'session.update', session: { instructions: 'Be brief', tools, model: 'm1' } };
  const hello = { role: 'user', content: 'Hi' };
  assert.deepEqual(valueAfter({ type: 'response.create', input: 'Hi' }), { input: [hello] });
  assert.deepEqual(valueAfter(update, { type: 'response.create', input: 'Hi', model: 'm2' }), {
    ...{ instructions: 'Be brief', tools, model: 'm2', input: [hello] },
  });
  assert.deepEqual(valueAfter(update, { type: 'session.update', session: { instructions: 'At length' } }), {
    ...{ instructions: 'At length', tools, model: 'm1', input: [] },
  });
  const inside = { type: 'response.create', response: { input: 'Hi' } };
  assert.deepEqual(valueAfter(inside), { input: [hello] });
  for (const input of [undefined, null, 7, { role: 'user' }])
    assert.deepEqual(valueAfter({ type: 'response.create', input, response: 'text' }), { input: [] });
});

test('items are kept up to the limit, and the last one always', () => {
  const kept = (...sizes: readonly number[]) => {
    const conversation = createSocketConversation();
    for (const [i, size] of sizes.entries())
      conversation.add({ type: 'response.create', input: [user(`item ${i}`)] }, size);
    return conversation.reading().slots.length;
  };
  assert.equal(kept(4_000_000, 4_000_000), 2);
  assert.equal(kept(4_000_000, 4_000_001), 1);
  assert.equal(kept(9_000_000), 1);
  assert.equal(kept(1, 9_000_000), 1);
  assert.equal(kept(3_000_000, 3_000_000, 3_000_000, 3_000_000), 2);
});
