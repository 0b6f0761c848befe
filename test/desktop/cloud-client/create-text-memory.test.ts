import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTextMemory } from '../../../apps/desktop/src/cloud-client/create-text-memory.ts';

const HOUR = 3_600_000;
const ALLOWED = { replacements: [], threatType: null, confidence: 0 };
const BLOCKED = { threatType: 'secret_leak', confidence: 1 } as const;

test('a stored text is known for an hour, whichever way the clock is changed', () => {
  let nowMs = 10 * HOUR;
  const memory = createTextMemory(() => nowMs);
  memory.store('a', ALLOWED);
  memory.storeBlocked(['b', 'c'], BLOCKED);
  nowMs += HOUR;
  assert.equal(memory.recall('a'), ALLOWED);
  assert.equal(memory.recallBlocked(new Set(['a', 'b', 'c']))?.threatType, 'secret_leak');
  assert.equal(memory.recallBlocked(new Set(['b'])), null, 'together only');
  nowMs += 1;
  assert.equal(memory.recall('a'), undefined);
  assert.equal(memory.recallBlocked(new Set(['b', 'c'])), null);
  memory.store('a', ALLOWED);
  nowMs -= 2 * HOUR;
  assert.equal(memory.recall('a'), undefined);
});

test('the least recently used are forgotten first, by count and by size', () => {
  const memory = createTextMemory(() => 0);
  for (let i = 0; i < 20_000; i++) memory.store(`text ${i}`, ALLOWED);
  memory.recall('text 0');
  memory.store('one more', ALLOWED);
  assert.ok(memory.recall('text 0'));
  assert.equal(memory.recall('text 1'), undefined);
  const replacements = Array.from({ length: 60_000 }, (_, i) => ({ start: i, end: i + 1, text: '' }));
  memory.store('large', { ...ALLOWED, replacements });
  memory.store('large', { ...ALLOWED, replacements });
  assert.ok(memory.recall('large'), 'stored again, it counts once');
  memory.store('larger', { ...ALLOWED, replacements });
  assert.equal(memory.recall('large'), undefined);
  assert.ok(memory.recall('larger'));
});

test('stores the last two hundred blocks, and none of very many texts', () => {
  const memory = createTextMemory(() => 0);
  for (let i = 0; i < 201; i++) memory.storeBlocked([`text ${i}`], BLOCKED);
  assert.equal(memory.recallBlocked(new Set(['text 0'])), null);
  assert.ok(memory.recallBlocked(new Set(['text 1'])));
  const many = Array.from({ length: 201 }, (_, i) => `part ${i}`);
  memory.storeBlocked(many, BLOCKED);
  assert.equal(memory.recallBlocked(new Set(many)), null);
});

test('digests differ for all texts, lone surrogates included, and reveal nothing of them', () => {
  const { digest } = createTextMemory(() => 0);
  const texts = ['a', 'b', '', '\ud800', '\ud801', '\ufffd', 'my secret text'];
  assert.equal(new Set(texts.map(digest)).size, texts.length);
  assert.equal(digest('a'), digest('a'));
  assert.ok(!digest('my secret text').includes('secret'));
});

test('ids of a response are known at its host for 30 days', () => {
  let nowMs = 0;
  const memory = createTextMemory(() => nowMs);
  memory.storeAnswer('api.openai.com', ['resp_1', 'msg_1']);
  nowMs = 30 * 86_400_000;
  const isKnown = (host: string, id: string) => memory.isAnswered(host, id);
  assert.deepEqual(
    [isKnown('api.openai.com', 'msg_1'), isKnown('api.openai.com', 'msg_2'), isKnown('example.com', 'msg_1')],
    [true, false, false],
  );
  nowMs += 1;
  assert.equal(isKnown('api.openai.com', 'msg_1'), false);
});
