import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatByName } from '@csg/shared/providers';
import { sessionIdOf } from '../../../apps/desktop/src/inspect/session-id-of.ts';

const idOf = (...turns: readonly string[]) => {
  const messages = turns.map((turn) => {
    const [role, content] = turn.split(': ');
    return { role, content };
  });
  return sessionIdOf(formatByName('openai-chat')!.readRequest({ model: 'm', messages }).messages);
};

test('a conversation keeps its id while only the user adds messages', async () => {
  const id = await idOf('system: s', 'user: a', 'assistant: b', 'user: c');
  assert.match(id, /^device-.{44}$/);
  assert.equal(await idOf('system: s', 'user: a', 'assistant: b', 'user: c', 'user: go on'), id);
  assert.equal(await idOf('user: a', 'user: b'), await idOf('user: a', 'user: c'));
});

test('conversations with a common beginning have different ids', async () => {
  const id = await idOf('user: a', 'assistant: b', 'user: c');
  for (const other of [
    ['user: a', 'assistant: x', 'user: c'],
    ['user: a', 'user: b', 'user: c'],
    ['user: b', 'assistant: b', 'user: c'],
    ['system: s', 'user: a', 'assistant: b'],
    ['user: a'],
  ])
    assert.notEqual(await idOf(...other), id, other.join());
});

test('messages before the first user message are part of the id', async () => {
  const one = await idOf('system: s', 'user: a');
  assert.notEqual(await idOf('system: t', 'user: a'), one);
  assert.equal(await idOf('system: s', 'user: a', 'user: b'), one);
});

test('single-message conversations have different ids', async () => {
  assert.notEqual(await idOf('user: a'), await idOf('user: b'));
  assert.notEqual(await idOf('system: s', 'user: a'), await idOf('system: s', 'user: b'));
});
