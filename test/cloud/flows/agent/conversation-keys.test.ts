import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { conversationKeys } from '../../../../apps/cloud/src/flows/agent/conversation-keys.ts';
import type { Message } from '../../../../shared/text/index.ts';

const turnsOf = (...texts: readonly string[]) => ({
  messages: texts.map(
    (text, index): Message => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      origin: 'user',
      position: { path: `/messages/${index}`, index },
      slots: [{ path: `/messages/${index}/content`, role: 'user', text }],
    }),
  ),
});

describe('a conversation is recognized', () => {
  const { current } = conversationKeys(turnsOf('a', 'b', 'c'), 'key', null);
  const isKnownTo = (...args: Parameters<typeof conversationKeys>): boolean =>
    conversationKeys(...args).all.includes(current);

  test('by its messages, also after it continued, but not with another history or by another key', () => {
    assert.ok(isKnownTo(turnsOf('a', 'b', 'c'), 'key', null));
    assert.ok(isKnownTo(turnsOf('a', 'b', 'c', 'd', 'e'), 'key', null));
    assert.ok(!isKnownTo(turnsOf('a', 'x', 'c'), 'key', null));
    assert.ok(!isKnownTo(turnsOf('a', 'b'), 'key', null));
    assert.ok(!isKnownTo(turnsOf('a', 'bc'), 'key', null));
    assert.ok(!isKnownTo(turnsOf('a', 'b', 'c'), 'other', null));
    assert.ok(!isKnownTo(turnsOf('a', 'b', 'c'), 'key', null, 'resp_1'));
  });

  test('by its id, whatever its messages', () => {
    const { all } = conversationKeys(turnsOf('x'), 'key', 'conv_1');
    assert.deepEqual(all, [conversationKeys(turnsOf('y', 'z'), 'key', 'conv_1').current]);
    assert.notDeepEqual(all, [conversationKeys(turnsOf('x'), 'key', 'conv_2').current]);
  });

  test('by the response before it, and by at most 200 of its latest messages', () => {
    const first = conversationKeys(turnsOf('a'), 'key', null, 'resp_1');
    assert.ok(conversationKeys(turnsOf('a', 'b'), 'key', null, 'resp_1').all.includes(first.current));
    assert.ok(!conversationKeys(turnsOf('a'), 'key', null, 'resp_2').all.includes(first.current));
    assert.equal(conversationKeys({ messages: [] }, 'key', null, 'resp_1').all.length, 1);
    const long = turnsOf(...Array.from({ length: 1_000 }, (_, i) => String(i)));
    assert.equal(conversationKeys(long, 'key', null).all.length, 200);
  });
});
