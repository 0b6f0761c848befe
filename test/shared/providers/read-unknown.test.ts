import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatByName, readLeafTexts, readUnknownStream } from '@csg/shared/providers';

test('reads every leaf and every unknown name of an unknown body, in one role', () => {
  const body = { draft: { pieces: ['one two', { secretName: 'three four' }] }, count: 3, model: 'm-1-large' };
  const texts = readLeafTexts(body).slots.map(({ path, role, text }) => [path, role, text]);
  assert.deepEqual(texts, [
    ['/draft~key', 'user', 'draft'],
    ['/draft/pieces~key', 'user', 'pieces'],
    ['/draft/pieces/0', 'user', 'one two'],
    ['/draft/pieces/1/secretName~key', 'user', 'secretName'],
    ['/draft/pieces/1/secretName', 'user', 'three four'],
    ['/count~key', 'user', 'count'],
    ['/model', 'user', 'm-1-large'],
  ]);
});

test('reads a body that is one string as one text', () => {
  assert.deepEqual(
    readLeafTexts('hello there', 'document').slots.map(({ role, text }) => [role, text]),
    [['document', 'hello there']],
  );
});

test('joins a stream of an unknown format, also under names that providers use', () => {
  const SECRET = `AKIA${'IOSFODNN7'}${'QWERTYU'}`;
  const shapes: ((text: string) => object)[] = [
    (text) => ({ candidates: [{ content: { parts: [{ text }] } }] }),
    (name) => ({ name }),
    (title) => ({ message: { title } }),
    (content) => ({ model: 'm', message: { role: 'assistant', content }, done: false }),
    (text) => ({ item: { content: [{ type: 'output_text', text }] } }),
    (output) => ({ response: { output } }),
    (text) => ({ type: 'piece', index: 0, data: { status: text } }),
  ];
  for (const shape of shapes) {
    for (let cut = 1; cut < SECRET.length; cut++) {
      const frames = [SECRET.slice(0, cut), SECRET.slice(cut)].map(shape);
      const body = frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('');
      for (const { slots } of [readUnknownStream(body), formatByName('openai-chat').readStream(body)])
        assert.ok(
          slots.some(({ text }) => text.includes(SECRET)),
          `${cut}: ${body}`,
        );
      // Some providers send the frames as one list.
      const { slots } = formatByName('openai-chat').readResponse(frames);
      assert.ok(
        slots.some(({ text }) => text.includes(SECRET)),
        `${cut}: ${JSON.stringify(frames)}`,
      );
    }
  }
});

test('joins parts of a list without indexes in their order, whatever their positions', () => {
  const parts = [[{ text: 'so ' }, { text: 'AKIAIOS' }], [{ text: 'FODNN7' }]];
  const body = parts.map((list) => `data: ${JSON.stringify({ scene: { pieces: list } })}\n\n`).join('');
  const texts = readUnknownStream(body).slots.map(({ text }) => text);
  assert.ok(
    texts.some((text) => text.includes('AKIAIOSFODNN7')),
    JSON.stringify(texts),
  );
});
